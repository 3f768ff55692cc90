import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createStore } from '../lib/store.ts'
import { fakeFailure } from '../testing/index.ts'
import { awaitEmailLink } from './awaitEmailLink.ts'
import type { LoginContext, LoginOutcome } from './loginContext.ts'
import type { LoginState } from './loginTypes.ts'

const email = 'ana@example.org'

/** Waits for the emailed link with a frame that responds to each request with `answer`. */
function wait(params: {
  answer?: (clock: ReturnType<typeof fakeClock>) => Promise<undefined>
  /** When the link was sent, in milliseconds after the start. */
  sent?: number
  wallet?: () => Promise<never>
}) {
  const clock = fakeClock()
  const start = clock.now()
  const store = createStore<LoginState>({
    busy: undefined,
    email,
    error: undefined,
    resendAt: undefined,
    social: undefined,
    farcasterUrl: undefined,
  })
  const requests: { readonly method: string; readonly at: number; readonly signal: AbortSignal }[] = []
  const outcomes: LoginOutcome[] = []
  const events: string[] = []
  const warnings: string[] = []
  let sent = params.sent
  const page = new AbortController()
  const answer = params.answer ?? timesOut
  const stop = awaitEmailLink({
    clock,
    store,
    signal: page.signal,
    patch: (change: Partial<LoginState>) => store.set({ ...store.get(), ...change }),
    navigation: { follow: (outcome: LoginOutcome) => void outcomes.push(outcome) },
    track: ({ event }: { event: string }) => void events.push(event),
    log: { warn: (text: string) => void warnings.push(text) },
    records: { lastEmailLoginTime: { get: () => (sent === undefined ? undefined : start + sent) } },
    wallet:
      params.wallet ??
      (async () => ({
        request(method: string, _: undefined, { signal }: { signal: AbortSignal }) {
          requests.push({ method, at: clock.now() - start, signal })
          return answer(clock)
        },
      })),
  } as unknown as LoginContext)
  const resend = (at: number) => {
    sent = at
  }
  return { clock, store, requests, outcomes, events, warnings, page, stop, resend }
}

/** The frame does not respond for 30 seconds, after which the request is rejected. */
const timesOut = (clock: ReturnType<typeof fakeClock>) =>
  new Promise<undefined>((_, reject) => {
    clock.after(30_000, () => reject(failure('frame/timeout', { method: 'CONNECT_DEVICE', afterMs: 30_000 })))
  })

test('once the user approves the device, the login continues with the code that was sent to the address', async () => {
  const { clock, store, outcomes, events } = wait({
    answer: (clock) => new Promise((resolve) => void clock.after(7_000, () => resolve(undefined))),
  })
  expect(store.get().busy).toBe('device')
  await clock.pass(6_999)
  expect([store.get().busy, outcomes]).toEqual(['device', []])
  await clock.pass(1)
  expect(outcomes).toEqual([{ type: 'device-approved', email }])
  expect(events).toEqual(['DEVICE_REGISTERED_FOR_EMAIL', 'EMAIL_VERIFICATION_CODE_SENT'])
  expect(store.get().busy).toBeUndefined()
})

test.each([
  ['is not known', undefined],
  ['was some time ago', -120_000],
  ['is in the future, because the device’s clock was changed', 86_400_000],
])('waits for ten minutes if the time at which the link was sent %s', async (_, sent) => {
  const { clock, store, outcomes, requests } = wait(sent === undefined ? {} : { sent })
  await clock.pass(599_000)
  expect([store.get().busy, outcomes]).toEqual(['device', []])
  await clock.pass(1_000)
  expect(outcomes).toEqual([{ type: 'device-not-approved' }])
  expect(store.get().busy).toBeUndefined()
  expect(requests).toHaveLength(20)
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['CONNECT_DEVICE']))
  await clock.pass(600_000)
  expect(requests).toHaveLength(20)
})

test('if the email is sent again, waits until the new link expires', async () => {
  const { clock, outcomes, resend } = wait({ sent: 0 })
  await clock.pass(300_000)
  resend(300_000)
  await clock.pass(599_000)
  expect(outcomes).toEqual([])
  await clock.pass(1_000)
  expect(outcomes).toEqual([{ type: 'device-not-approved' }])
})

test('a link that the user rejects ends the wait immediately', async () => {
  const { clock, store, outcomes, events, requests } = wait({
    answer: () => Promise.reject(failure('frame/failed', { message: 'Gone' })),
  })
  await clock.pass(0)
  expect(outcomes).toEqual([{ type: 'device-not-approved' }])
  expect([store.get().busy, events, requests.length]).toEqual([undefined, [], 1])
})

test('during an outage, requests the approval again every five seconds', async () => {
  let tries = 0
  const { clock, outcomes, requests } = wait({
    async answer() {
      tries += 1
      if (tries < 3) throw fakeFailure('wallet/unreachable', { connectorId: 'ID_AUTH' })
    },
  })
  await clock.pass(9_999)
  expect(outcomes).toEqual([])
  await clock.pass(1)
  expect(requests.map(({ at }) => at)).toEqual([0, 5_000, 10_000])
  expect(outcomes).toEqual([{ type: 'device-approved', email }])
})

test.each(['the user leaves the view', 'the instance stops'])('stops waiting if %s', async (cause) => {
  const { clock, store, outcomes, requests, stop, page, warnings } = wait({
    answer: () => Promise.reject(fakeFailure('wallet/unreachable', { connectorId: 'ID_AUTH' })),
  })
  await clock.pass(1_000)
  if (cause === 'the instance stops') page.abort()
  else stop()
  await clock.pass(60_000)
  expect(requests).toHaveLength(1)
  expect(requests[0]?.signal.aborted).toBe(true)
  expect([outcomes, warnings, store.get().busy, clock.waiting]).toEqual([[], [], undefined, 0])
})

test('an aborted request has no outcome', async () => {
  let abort = () => {}
  const { clock, outcomes, stop } = wait({
    answer: () =>
      new Promise((_, reject) => {
        abort = () => reject(new LatchkeyError('request/aborted'))
      }),
  })
  await clock.pass(0)
  stop()
  abort()
  await clock.pass(0)
  expect(outcomes).toEqual([])
})

test('if the wallet cannot be loaded, a warning is logged and the wait ends', async () => {
  const { clock, store, outcomes, warnings } = wait({ wallet: () => Promise.reject(new Error('404')) })
  await clock.pass(0)
  expect([outcomes, warnings, store.get().busy]).toEqual([[], ['Waiting for the other device failed'], undefined])
})

test('the end of the wait does not affect a later step', async () => {
  const { clock, store, stop } = wait({})
  await clock.pass(0)
  store.set({ ...store.get(), busy: 'email' })
  stop()
  await clock.pass(30_000)
  expect(store.get().busy).toBe('email')
})
