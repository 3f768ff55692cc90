import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { ErrorCode } from '@latchkey/protocol/latchkeyError'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { translateSignInError } from './translateSignInError.ts'

test.each<[error: LatchkeyError, title: string, body: string]>([
  [failure('sign-in/spent'), 'signIn.invalid', 'signIn.invalidBody'],
  [failure('sign-in/refused', { reason: 'domain' }), 'signIn.invalid', 'signIn.invalidBody'],
  [failure('sign-in/no-node', { chain: 'eip155:1', message: 'offline' }), 'signIn.failed', 'signIn.invalidBody'],
  [new LatchkeyError('http/unreachable', { url: 'https://connect.example' }), 'signIn.failed', 'reason.unreachable'],
  [new LatchkeyError('app/origin-not-allowed', { origin: 'https://x.example' }), 'signIn.failed', 'reason.refused'],
])('%s from an authentication adapter is explained to the user', (error, title, body) => {
  const text = (name: string) => name
  expect(translateSignInError(text as never, { wallet: 'Wallet', error: error as LatchkeyError<ErrorCode> })).toEqual({
    title,
    body,
  })
})
