import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { emailErrorPlace, isOutage, parseEmail } from './emailErrors.ts'

test('parseEmail() trims an email address, and throws if the input is not an email address', () => {
  expect(parseEmail(' ada@shop.example ')).toBe('ada@shop.example')
  for (const typed of [
    '',
    'ada',
    'ada@shop',
    'ada @shop.example',
    '<b>@shop.example',
    `${'a'.repeat(250)}@shop.example`,
  ])
    expect(() => parseEmail(typed)).toThrowError(expect.objectContaining({ code: 'input/invalid' }) as Error)
})

test('emailErrorPlace() returns field for invalid addresses and outages, nowhere for cancellations, and toast otherwise', () => {
  const unreachable = failure('frame/unreachable', { afterMs: 20_000 })
  expect(isOutage(unreachable)).toBe(true)
  expect(emailErrorPlace(unreachable)).toBe('field')
  expect(emailErrorPlace(new LatchkeyError('input/invalid', { path: 'email', message: 'Invalid email' }))).toBe('field')
  expect(emailErrorPlace(failure('frame/failed', { message: 'The mail could not be sent' }))).toBe('field')
  expect(emailErrorPlace(failure('frame/failed', { message: 'Not today' }))).toBe('toast')
  expect(emailErrorPlace(new LatchkeyError('user/rejected', { request: 'connect' }))).toBe('nowhere')
  expect(emailErrorPlace(failure('email/throttled', { seconds: 3 }))).toBe('toast')
})
