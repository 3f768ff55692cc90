import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createRequestQueue, type PendingRequest } from './requestQueue.ts'

function emptyQueue() {
  const clock = fakeClock()
  const expired: string[] = []
  const changes: (readonly string[])[] = []
  const queue = createRequestQueue({
    clock,
    changed: (requests) => changes.push(requests.map(({ key }) => key)),
    expired: ({ key }) => expired.push(key),
  })
  const request = (key: string, lifetimeMs = 1_000) =>
    ({ key, expiresAt: clock.now() + lifetimeMs, state: { at: 'open' } }) as PendingRequest
  return { clock, expired, changes, queue, request }
}

test('put() moves a request that is already in the queue to the end or the front', () => {
  const { queue, request, changes } = emptyQueue()
  for (const key of ['a', 'b', 'c']) queue.put(request(key))
  queue.put(request('a'))
  queue.put(request('c'), { front: true })
  expect(changes.slice(-3)).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c', 'a'],
    ['c', 'b', 'a'],
  ])
})

test('a request expires once, unless it is being executed or has been removed', async () => {
  const { queue, request, clock, expired } = emptyQueue()
  for (const key of ['open', 'executing', 'removed', 'extended']) queue.put(request(key))
  queue.update('executing', { state: { at: 'doing' } })
  queue.remove('removed')
  queue.put(request('extended', 2_000))
  await clock.pass(1_000)
  expect(expired).toEqual(['open'])
  await clock.pass(1_000)
  expect(expired).toEqual(['open', 'extended'])
})

test('a stopped queue does not change, and its requests do not expire', async () => {
  const { queue, request, clock, expired, changes } = emptyQueue()
  queue.put(request('a'))
  queue.stop()
  queue.remove('a')
  queue.put(request('b'))
  expect(queue.all().map(({ key }) => key)).toEqual(['a'])
  expect(changes).toEqual([['a']])
  queue.remove('b')
  await clock.pass(1_000)
  expect(expired).toEqual([])
})
