import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { RpcError } from './rpcError.ts'
import { createSentRequests } from './sentRequests.ts'

function pendingRequests() {
  const clock = fakeClock()
  return { clock, pending: createSentRequests(clock) }
}
const request = { topic: 'a', method: 'wc_sessionPing', timeoutMs: 30_000 } as const
const publication = { topic: 'a', message: 'm', ttl: 30, tag: 1114 }

test('a request is settled only by a response with its ID on its topic', async () => {
  const { pending, clock } = pendingRequests()
  const { response } = pending.add(1, request)
  pending.settle(1, 'b', { result: 'another topic' })
  pending.settle(2, 'a', { result: 'another ID' })
  pending.settle(1, 'a', { result: true })
  expect(await response).toEqual({ result: true })
  expect(clock.waiting).toBe(0)
})

test('a request rejects with the peer’s error', async () => {
  const { pending } = pendingRequests()
  const { response } = pending.add(1, request)
  pending.settle(1, 'a', new RpcError({ code: 5000, message: 'User rejected.' }))
  await expect(response).rejects.toMatchObject({ code: 5000 })
})

test('a request times out, and can be aborted', async () => {
  const { pending, clock } = pendingRequests()
  const stop = new AbortController()
  const slow = expect(pending.add(1, request).response).rejects.toMatchObject({
    code: 'request/timeout',
    details: { request: 'wc_sessionPing', afterMs: 30_000 },
  })
  const aborted = expect(pending.add(2, { ...request, signal: stop.signal }).response).rejects.toMatchObject({
    code: 'request/aborted',
  })
  stop.abort()
  await aborted
  await clock.pass(30_000)
  await slow
})

test('rejectAll() can reject the requests on a single topic', async () => {
  const { pending } = pendingRequests()
  const ended = pending.add(1, request).response
  const other = pending.add(2, { ...request, topic: 'b' }).response
  pending.rejectAll(new LatchkeyError('request/aborted'), 'a')
  pending.settle(2, 'b', { result: true })
  await expect(ended).rejects.toMatchObject({ code: 'request/aborted' })
  expect(await other).toEqual({ result: true })
})

test('publications() returns the accepted publications of unanswered requests', () => {
  const { pending } = pendingRequests()
  pending.add(1, request)
  pending.add(2, request).published(publication)
  pending.add(3, request).published({ ...publication, message: 'answered' })
  pending.settle(3, 'a', { result: true })
  expect(pending.publications()).toEqual([publication])
})
