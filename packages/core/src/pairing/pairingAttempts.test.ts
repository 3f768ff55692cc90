import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { fakeClock } from '../testing/index.ts'
import { createPairingAttempts } from './pairingAttempts.ts'

function offersOf({ connect = async () => {} }: { connect?: () => Promise<void> } = {}) {
  const clock = fakeClock()
  const attempts: { signal: AbortSignal; offer(lifeMs: number): void; answer(name: string): void }[] = []
  const calls: string[] = []
  let isViewed = true
  const offers = createPairingAttempts<string>({
    clock,
    pair: ({ signal, onUri }) =>
      new Promise((resolve) => {
        attempts.push({
          signal,
          offer: (lifeMs) => onUri({ uri: `wc:${attempts.length}`, expiresAt: clock.now() + lifeMs }),
          answer: resolve,
        })
      }),
    async paired(name) {
      calls.push(`paired ${name}`)
      await connect()
    },
    disconnect: async (name) => void calls.push(`disconnected ${name}`),
    isViewed: () => isViewed,
    failed: ({ code }, { isDisplayed }) => calls.push(`${code} ${isDisplayed ? 'displayed' : 'hidden'}`),
  })
  const leave = () => {
    isViewed = false
  }
  return { offers, clock, attempts, calls, leave }
}

test('an offer is replaced ten seconds before it expires, and the first wallet to respond ends the other attempts', async () => {
  const { offers, clock, attempts, calls } = offersOf()
  offers.begin()
  attempts[0]?.offer(60_000)
  expect(offers.isUsable()).toBe(true)
  await clock.pass(50_000)
  expect(attempts).toHaveLength(2)
  attempts[0]?.answer('first')
  await clock.pass(0)
  expect(attempts[1]?.signal.aborted).toBe(true)
  attempts[1]?.answer('second')
  await clock.pass(0)
  expect(calls).toEqual(['paired first', 'disconnected second'])
  expect(offers.state.get().status).toBe('entering')
})

test('an expiring offer is removed rather than replaced if no view displays it', async () => {
  const { offers, clock, attempts, leave } = offersOf()
  offers.begin()
  attempts[0]?.offer(60_000)
  leave()
  await clock.pass(50_000)
  expect(offers.state.get().offer).toBeUndefined()
  expect(attempts).toHaveLength(1)
})

test('a wallet that cannot be connected is disconnected, and the failure is displayed', async () => {
  const { offers, clock, attempts, calls } = offersOf({
    connect: () => Promise.reject(new LatchkeyError('wallet/not-found', { connectorId: 'x' })),
  })
  offers.begin()
  attempts[0]?.answer('first')
  await clock.pass(0)
  expect(calls).toEqual(['paired first', 'disconnected first', 'wallet/not-found displayed'])
  expect(offers.state.get().status).toBe('failed')
  expect(offers.isPending()).toBe(false)
})

test('a cancellation is not displayed as an error', () => {
  const { offers, attempts, calls } = offersOf()
  offers.begin()
  offers.fail(new LatchkeyError('request/aborted'))
  expect(attempts[0]?.signal.aborted).toBe(true)
  expect(offers.state.get()).toEqual({ status: 'idle', offer: undefined, error: undefined })
  expect(calls).toEqual(['request/aborted hidden'])
})
