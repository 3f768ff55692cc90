import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { openVault } from './openVault.ts'
import {
  formatRecoveryCode,
  generateRecoveryCode,
  parseRecoveryCode,
  parseRecoveryKitFile,
  recoveryCodeQrText,
  recoveryCodeUnlockKey,
  serializeRecoveryKitFile,
} from './recoveryKit.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'
import { createVaultFixture } from './testing/vaultFixture.ts'

const environment = seededEnvironment(11, fakeClock())

test('a recovery code can be parsed whether it is in its printed form, was typed carelessly or was scanned', () => {
  for (let round = 0; round < 200; round++) {
    const code = generateRecoveryCode(environment)
    expect(formatRecoveryCode(code)).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){7}[0-9A-HJKMNP-TV-Z]{5}$/)
    const careless = formatRecoveryCode(code)
      .toLowerCase()
      .replaceAll('-', ' ')
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')
    for (const typed of [
      formatRecoveryCode(code),
      careless,
      recoveryCodeQrText(code),
      ` ${recoveryCodeQrText(code).toLowerCase()}\n`,
    ]) {
      expect(parseRecoveryCode(typed)).toEqual({ code })
    }
  }
})

test('every single-character error and every swap of adjacent code characters is detected, and the error specifies the group', () => {
  const letters = formatRecoveryCode(generateRecoveryCode(environment)).replaceAll('-', '')
  for (let at = 0; at < 40; at++) {
    for (const letter of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
      if (letter === letters[at]) continue
      const typed = letters.slice(0, at) + letter + letters.slice(at + 1)
      expect(parseRecoveryCode(typed)).toEqual({ error: 'group', group: Math.floor(at / 5) + 1 })
    }
    const swapped = letters.slice(0, at) + (letters[at + 1] ?? '') + letters[at] + letters.slice(at + 2)
    if (at % 5 < 3 && swapped !== letters) expect(parseRecoveryCode(swapped)).toMatchObject({ error: 'group' })
  }
})

test('groups in the wrong order are detected', () => {
  const [first, second, ...rest] = formatRecoveryCode(generateRecoveryCode(environment)).split('-')
  expect(parseRecoveryCode([second, first, ...rest].join('-'))).toEqual({ error: 'group', group: 1 })
})

test('a code with the wrong length or an invalid character is rejected, and the error specifies the reason', () => {
  const text = formatRecoveryCode(generateRecoveryCode(environment))
  expect(parseRecoveryCode(text.slice(1))).toEqual({ error: 'length', letters: 39 })
  expect(parseRecoveryCode('')).toEqual({ error: 'length', letters: 0 })
  expect(parseRecoveryCode(`${text.slice(0, -1)}U`)).toEqual({ error: 'letter', letter: 'U' })
  expect(parseRecoveryCode('🔑'.repeat(40))).toEqual({ error: 'letter', letter: '🔑' })
})

test('the kit file and the code together open the vault without a server, and the file does not contain the code', async () => {
  const { user, vault, store, recoveryCode } = await createVaultFixture(environment)
  const text = serializeRecoveryKitFile({ createdAt: 5, pageHash: 'ab'.repeat(32), record: vault.record })
  expect(text).not.toContain(formatRecoveryCode(recoveryCode))
  const { record } = parseRecoveryKitFile(text)
  const key = await recoveryCodeUnlockKey(environment, recoveryCode)
  expect(await (await openVault({ user, record, key, environment, store })).mnemonic()).toEqual(await vault.mnemonic())
})

test.each(['', '{}', '{"type":"latchkey-recovery-kit"}', '[]'])('%j is not a valid kit file', (text) => {
  expect(() => parseRecoveryKitFile(text)).toThrow('not a recovery kit')
})
