import { expect, test } from 'vitest'
import { refusalError } from './refusalError.ts'

test.each([
  ['JWT validation error: JWT Token has expired', 'relay/session-expired'],
  ['Unauthorized: invalid key', 'relay/invalid-key'],
  ['Unauthorized: origin not allowed', 'app/origin-not-allowed'],
  ['Too many clients', 'relay/refused'],
])('the refusal "%s" becomes the error %s', (reason, code) => {
  expect(refusalError(reason)).toMatchObject({ code })
})

test('the error for an unknown reason includes the reason', () => {
  expect(refusalError('Too many clients').details).toEqual({ message: 'Too many clients' })
})
