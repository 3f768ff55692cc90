import { failure } from '@latchkey/protocol/errors/errorMessages'
import { expect, test } from 'vitest'
import { createRetries } from '../lib/retries.ts'
import { fakeClock, fakeSignInSession } from '../testing/index.ts'
import { createSessionLookup } from './sessionLookup.ts'
import type { SignInSession } from './signInTypes.ts'

/** Creates a lookup that receives the given responses in order. The last response is repeated. */
function page(...responses: readonly (() => Promise<readonly SignInSession[]>)[]) {
  const clock = fakeClock()
  const calls: unknown[] = []
  let requests = 0
  const lookup = createSessionLookup({
    authentication: {
      getSessions() {
        const respond = responses[Math.min(requests, responses.length - 1)]
        requests += 1
        return respond?.() ?? Promise.resolve([])
      },
    },
    account: () => 'eip155:1:0xa',
    prompts: () => true,
    clock,
    retries: createRetries(clock, () => 1),
    checking: () => calls.push('checking'),
    found: () => calls.push('found'),
    missing: (prompts) => calls.push(`missing, prompts ${prompts}`),
    refused: async (_, { code }) => void calls.push(`refused ${code}`),
    delayed: (_, { code }, failures) => calls.push(`delayed ${code} ${failures}`),
  })
  return { lookup, clock, calls, requests: () => requests }
}

const found = async () => [fakeSignInSession]
const missing = async () => []
const fails = () => Promise.reject(failure('sign-in/no-storage'))
const never = () => new Promise<never>(() => {})

test('a lookup reports a session, or that no session exists', async () => {
  const { lookup, calls } = page(found, missing)
  await lookup.start({ prompts: false })
  await lookup.start({ prompts: true })
  expect(calls).toEqual(['checking', 'found', 'checking', 'missing, prompts true'])
})

test('a session is looked up again when it expires, even if the delay exceeds the limit of browser timers', async () => {
  const { lookup, clock, requests } = page(missing)
  const days = 86_400_000
  lookup.expireAt(clock.now() + 30 * days)
  await clock.pass(29 * days)
  expect(requests()).toBe(0)
  await clock.pass(days)
  expect(requests()).toBe(1)
  lookup.expireAt(clock.now() - 1)
  lookup.expireAt(Number.NaN)
  await clock.pass(60 * days)
  expect(requests()).toBe(1)
})

test('a refusal ends the lookup, unless the connection was restored, in which case the lookup is retried', async () => {
  const { lookup, clock, calls, requests } = page(fails)
  await lookup.start({ prompts: true })
  expect(calls).toEqual(['checking', 'refused sign-in/no-storage'])
  await lookup.start({ prompts: true, restored: true })
  expect(calls.at(-1)).toBe('delayed sign-in/no-storage 1')
  const before = requests()
  await clock.pass(1_000)
  expect(requests()).toBe(before + 1)
})

test('an adapter that does not respond is treated as an outage until a lookup succeeds', async () => {
  const { lookup, clock, calls } = page(never, found)
  void lookup.start({ prompts: true })
  await clock.pass(120_000)
  expect(calls).toEqual(['checking', 'delayed request/timeout 1', 'found'])
  expect(lookup.hasFailed()).toBe(false)
})

test.each(['cancel', 'reset', 'stop'] as const)('%s() ignores the response to a pending lookup', async (end) => {
  const { lookup, calls } = page(found)
  const started = lookup.start({ prompts: true })
  lookup[end]()
  await started
  expect(calls).toEqual(['checking'])
})
