import { expect, test } from 'vitest'
import { memoryStorage } from '../storage.ts'
import { createRequestHistory } from './requestHistory.ts'

function counting() {
  const counter = { handled: 0, handle: async () => void counter.handled++ }
  return counter
}

test('a request is handled once per topic, even after a reload', async () => {
  const storage = memoryStorage()
  const counter = counting()
  const history = createRequestHistory(storage, () => true)
  await history.handleOnce('a', 1, counter.handle)
  await history.handleOnce('a', 1, counter.handle)
  await createRequestHistory(storage, () => true).handleOnce('a', 1, counter.handle)
  expect(counter.handled).toBe(1)
  await history.handleOnce('b', 1, counter.handle)
  expect(counter.handled).toBe(2)
})

test('a request that is still being handled is not handled again', async () => {
  const counter = counting()
  const history = createRequestHistory(memoryStorage(), () => true)
  let finish = () => {}
  const first = history.handleOnce('a', 1, () => new Promise((resolve) => (finish = resolve)))
  await history.handleOnce('a', 2, counter.handle)
  await history.handleOnce('a', 1, counter.handle)
  finish()
  await first
  expect(counter.handled).toBe(1)
})

test('a request that arrives twice at the same time is handled once', async () => {
  const counter = counting()
  const history = createRequestHistory(memoryStorage(), () => true)
  await Promise.all([1, 1, 2].map((id) => history.handleOnce('a', id, counter.handle)))
  expect(counter.handled).toBe(2)
})

test('a request whose handler fails can be handled again', async () => {
  const counter = counting()
  const history = createRequestHistory(memoryStorage(), () => true)
  await expect(history.handleOnce('a', 1, () => Promise.reject(new Error('offline')))).rejects.toThrow('offline')
  await history.handleOnce('a', 1, counter.handle)
  expect(counter.handled).toBe(1)
})

test('the last 200 requests on each active topic are stored until the topic is removed', async () => {
  const storage = memoryStorage()
  const active = new Set(['a'])
  const history = createRequestHistory(storage, (topic) => active.has(topic))
  for (let id = 1; id <= 201; id++) await history.handleOnce('a', id, async () => {})
  await history.handleOnce('b', 1, async () => {})
  expect((await storage.list('handled:')).map(([key]) => key)).toEqual(['handled:a'])
  expect(await storage.get('handled:a')).toEqual(Array.from({ length: 200 }, (_, index) => index + 2))
  await history.remove('a')
  expect(await storage.list('handled:')).toEqual([])
})
