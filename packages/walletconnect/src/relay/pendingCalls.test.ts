import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { type Call, createPendingCalls } from './pendingCalls.ts'

function pendingCalls() {
  const clock = fakeClock()
  return { clock, calls: createPendingCalls(clock, () => 'wss://relay.example/path') }
}
const ping = { id: '"1"', method: 'irn_publish', params: { ttl: 1 } }

test('a response settles the call with the same ID', async () => {
  const { calls } = pendingCalls()
  const [call, other] = [calls.add(ping, () => {}), calls.add({ ...ping, id: '1' }, () => {})]
  calls.settle('1', { error: { code: -32000, message: 'Too many topics' } })
  calls.settle('"1"', { result: true })
  calls.settle('"7"', { result: true })
  expect(await call).toBe(true)
  await expect(other).rejects.toMatchObject({ code: 'relay/failed', details: { message: 'Too many topics' } })
  expect(calls.size).toBe(0)
})

test('a call that is not answered within a minute fails with an error that includes the address in use', async () => {
  const { calls, clock } = pendingCalls()
  const call = calls.add(ping, () => {})
  const failed = expect(call).rejects.toMatchObject({
    code: 'relay/unreachable',
    details: { address: 'relay.example' },
  })
  await clock.pass(59_999)
  expect(calls.size).toBe(1)
  await clock.pass(1)
  await failed
})

test('an aborted call rejects, and a late response is ignored', async () => {
  const { calls, clock } = pendingCalls()
  const stop = new AbortController()
  const call = calls.add({ ...ping, signal: stop.signal }, () => {})
  stop.abort()
  calls.settle(ping.id, { result: true })
  await expect(call).rejects.toMatchObject({ code: 'request/aborted' })
  expect(clock.waiting).toBe(0)
})

test('after the connection closes, unsent() returns every pending call', () => {
  const { calls, clock } = pendingCalls()
  const started: Call[] = []
  void calls.add(ping, (call) => started.push(call))
  for (const call of calls.unsent()) call.sentAt = clock.now()
  expect(calls.unsent()).toEqual([])
  calls.connectionClosed()
  expect(calls.unsent()).toEqual(started)
})

test('a call is overdue once it has been unanswered for the given time', async () => {
  const { calls, clock } = pendingCalls()
  void calls.add(ping, () => {})
  await clock.pass(10_000)
  expect(calls.isOverdue(5_000)).toBe(false)
  for (const call of calls.unsent()) call.sentAt = clock.now()
  await clock.pass(4_999)
  expect(calls.isOverdue(5_000)).toBe(false)
  await clock.pass(1)
  expect(calls.isOverdue(5_000)).toBe(true)
})

test('rejectAll() rejects every call', async () => {
  const { calls } = pendingCalls()
  const all = [calls.add(ping, () => {}), calls.add({ ...ping, id: '"2"' }, () => {})]
  calls.rejectAll(new LatchkeyError('request/aborted'))
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
