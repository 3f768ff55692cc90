import { systemEnvironment } from '@latchkey/vault'
import { formatRecoveryCode, generateRecoveryCode } from '@latchkey/vault/recoveryKit'
import { expect, test } from 'vitest'
import { getRecoveryCodeKey } from '../wallet/recoveryCodeKey.ts'
import { recoveryCodeErrorText } from './recoveryCodeErrorText.ts'

const environment = systemEnvironment()
const code = formatRecoveryCode(generateRecoveryCode(environment))
const errorOf = (typed: string) => getRecoveryCodeKey(environment, typed).catch((error: unknown) => error)

test('the message describes the typo in a malformed recovery code', async () => {
  expect(recoveryCodeErrorText(await errorOf(code.slice(0, -1)))).toBe('A code has 40 characters; this one has 39.')
  expect(recoveryCodeErrorText(await errorOf(`${code.slice(0, -1)}*`))).toBe('Recovery codes never contain “*”.')
  const replaced = code.startsWith('2') ? '3' : '2'
  expect(recoveryCodeErrorText(await errorOf(`${replaced}${code.slice(1)}`))).toBe('There is a typo in group 1.')
})

test.each([
  ['an error of the vault', new Error('vault/wrong-key')],
  ['an error without details', { codeError: undefined }],
  ['an error with empty details', { codeError: null }],
  ['an error with details of a different kind', { codeError: 'length' }],
  ['an error with an unknown code', { codeError: { error: 'colour' } }],
  ['details without a code', { codeError: {} }],
  ['a string', 'length'],
  ['null', null],
  ['undefined', undefined],
])('for %s, the message is that the code is wrong', (_, error) => {
  expect(recoveryCodeErrorText(error)).toBe('This code is for another wallet or has been replaced.')
})
