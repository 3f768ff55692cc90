import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { createStore } from '../lib/store.ts'
import { fakeSignInSession } from '../testing/index.ts'
import { createSignInOutcomes } from './signInOutcomes.ts'
import type { SignInState } from './signInTypes.ts'

const account = 'eip155:1:0xa' as const

function page() {
  const own = createStore<SignInState>({ status: 'unknown', account: undefined, session: undefined, error: undefined })
  const calls: string[] = []
  const outcomes = createSignInOutcomes({
    own,
    account: () => account,
    log: { error: () => calls.push('log error'), warn: () => calls.push('log warn') },
    events: { emit: (event) => calls.push(`event ${event}`) },
    disconnect: async () => void calls.push(`disconnect while ${own.get().status}`),
    navigate: (outcome) => calls.push(`navigate ${outcome}`),
    track: ({ event }) => calls.push(`track ${event}`),
    toast: (kind) => calls.push(`toast ${kind}`),
  })
  return { outcomes, own, calls }
}

const error = failure('sign-in/not-initialised')
const reason = failure('sign-in/no-storage')

test('the host is notified of a sign-in only once, even if the session is found repeatedly', () => {
  const { outcomes, own, calls } = page()
  outcomes.signedIn(fakeSignInSession)
  outcomes.signedIn(fakeSignInSession)
  expect(calls).toEqual(['event signIn'])
  expect(own.get()).toEqual({ status: 'signed-in', account, session: fakeSignInSession, error: undefined })
})

test('if no session exists, the user is prompted only if a prompt is requested', () => {
  const { outcomes, own, calls } = page()
  outcomes.missing(false)
  expect([own.get().status, calls]).toEqual(['signed-out', []])
  outcomes.missing(true)
  expect(calls).toEqual(['navigate ask'])
})

test('a refused lookup disconnects the wallet before the error is shown', async () => {
  const { outcomes, own, calls } = page()
  await outcomes.refused(error, reason)
  expect(calls).toEqual([
    'log error',
    'track SIWX_AUTH_ERROR',
    'disconnect while cancelling',
    'navigate unready',
    'toast error',
  ])
  expect(own.get()).toMatchObject({ status: 'unknown', error })
})

test('an outage is reported once and is shown until it ends', () => {
  const { outcomes, own, calls } = page()
  outcomes.delayed(error, reason, 1)
  outcomes.delayed(error, reason, 2)
  expect(calls).toEqual(['log warn', 'track SIWX_AUTH_ERROR', 'navigate unknown'])
  expect(own.get()).toMatchObject({ status: 'unknown', error })
})

test.each([
  ['sign-in/declined', 'log warn'],
  ['sign-in/no-smart-accounts', 'log warn'],
  ['sign-in/invalid', 'log error'],
] as const)('after %s, the user is prompted again, and the error is reported with "%s"', (code, logged) => {
  const { outcomes, own, calls } = page()
  outcomes.failed(failure(code), undefined)
  expect(calls).toEqual([logged, 'track SIWX_AUTH_ERROR', 'navigate failed', 'toast error'])
  expect(own.get()).toMatchObject({ status: 'signed-out', error: { code } })
})

test('a cancelled request is not reported', () => {
  const { outcomes, calls } = page()
  outcomes.failed(new LatchkeyError('request/aborted'), undefined)
  expect(calls).toEqual([])
})
