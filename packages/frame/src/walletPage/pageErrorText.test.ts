import { frameTexts } from '@latchkey/protocol/frame/messages'
import { expect, test } from 'vitest'
import { KeysServerError } from '../keysApiClient.ts'
import { PublicError } from '../publicError.ts'
import { pageErrorText } from './pageErrorText.ts'

test.each([
  ['code/wrong', /^That code is not correct\. Check the latest email/],
  ['code/expired', /^This code has expired\. Request a new one/],
  ['email/invalid', /complete email address/],
  ['mail/failed', /^The email could not be sent/],
  ['social/declined', /^You declined to sign in/],
  ['handover/unknown', /^This took too long/],
  ['handover/taken', /open in another window/],
  ['session/stale', /^You are signed out/],
  ['transfer/unknown', /^Something went wrong\. Try again\.$/],
] as const)('the page explains %s to the user', (code, text) => {
  expect(pageErrorText(new KeysServerError({ code, message: '' }))).toMatch(text)
})

test('shows the user how long to wait after too many attempts', () => {
  const error = new KeysServerError({ code: 'email/throttled', message: '', seconds: 17 })
  expect(pageErrorText(error)).toBe('Too many attempts. Try again in 17 s.')
  expect(pageErrorText(new KeysServerError({ code: 'limit/reached', message: '' }))).toContain('30 s')
})

test('suggests checking the connection if the server cannot be reached', () => {
  for (const message of [frameTexts.serverAway, `${frameTexts.serverAway}. Try again in 9 seconds`])
    expect(pageErrorText(new PublicError(message))).toMatch(/cannot be reached. Check your connection/)
  expect(pageErrorText(new TypeError('error loading dynamically imported module'))).toMatch(/cannot be reached/)
})
