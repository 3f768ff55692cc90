import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { createRetries } from '../lib/retries.ts'
import { fakeClock, fakeConnector } from '../testing/index.ts'
import { type ConnectionAttempt, createRestoreAttempts } from './restoreAttempts.ts'

function page() {
  const clock = fakeClock()
  const attempts = new Map<'eip155', ConnectionAttempt>()
  const calls: string[] = []
  const restores = createRestoreAttempts({
    attempts: attempts as never,
    clock,
    retries: createRetries(clock, () => 1),
    log: { info() {} },
    storedChain: () => 'eip155:10',
    restored: (session) => calls.push(`restored ${session.chain}`),
    rejected: ({ connector }) => calls.push(`rejected ${connector.id}`),
    delayed: (_, { code }) => calls.push(`delayed ${code}`),
  })
  return { restores, clock, attempts, calls }
}

const never = new Promise<never>(() => {})

test('a restore connects silently on the stored chain', async () => {
  const { restores, clock, attempts, calls } = page()
  const connector = fakeConnector()
  restores.start({ connector, first: true })
  expect(attempts.get('eip155')?.connector).toBe(connector)
  await clock.pass(0)
  expect(connector.connectCalls).toEqual([{ chain: 'eip155:10', silent: true }])
  expect(calls).toEqual(['restored eip155:10'])
  expect([attempts.size, restores.has('eip155', connector.id)]).toEqual([0, false])
})

test('a rejection ends the restore, and an outage causes a retry', async () => {
  const { restores, clock, calls } = page()
  const declines = fakeConnector({ id: 'io.a', authorized: false })
  const fails = fakeConnector({ id: 'io.b', outage: () => new LatchkeyError('request/aborted') })
  restores.start({ connector: declines, first: true })
  restores.start({ connector: fails, first: false })
  await clock.pass(0)
  expect(calls).toEqual(['rejected io.a', 'delayed request/aborted'])
  expect(restores.in('eip155').map(({ connector, failures }) => [connector.id, failures])).toEqual([['io.b', 1]])
  await clock.pass(1_000)
  expect([declines.connectCalls.length, fails.connectCalls.length]).toEqual([1, 2])
})

test('a wallet that does not respond is reported after ten seconds, and the request is retried after a minute', async () => {
  const { restores, clock, calls } = page()
  const connector = fakeConnector({ waits: never })
  restores.start({ connector, first: true })
  await clock.pass(10_000)
  expect(calls).toEqual(['delayed wallet/unresponsive'])
  await clock.pass(51_000)
  expect(connector.connectCalls).toHaveLength(2)
})

test('resume() retries the request immediately and keeps the failure count', async () => {
  const { restores, clock } = page()
  const connector = fakeConnector({ outage: () => 'request/aborted' })
  restores.start({ connector, first: true })
  await clock.pass(0)
  for (const restore of restores.in('eip155')) restores.resume(restore)
  await clock.pass(0)
  expect(connector.connectCalls).toHaveLength(2)
  expect(restores.in('eip155')).toMatchObject([{ failures: 2 }])
})

test('cancelAll() cancels only matching restores and ignores their late responses', async () => {
  let answer = (): void => {}
  const waits = new Promise<void>((resolve) => {
    answer = resolve
  })
  const { restores, clock, calls } = page()
  restores.start({ connector: fakeConnector({ id: 'io.a', waits }), first: true })
  restores.start({ connector: fakeConnector({ id: 'io.b', waits }), first: false })
  expect(restores.cancelAll(({ id }) => id === 'io.a')).toMatchObject([{ connector: { id: 'io.a' } }])
  answer()
  await clock.pass(0)
  expect(calls).toEqual(['restored eip155:10'])
})
