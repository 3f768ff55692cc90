import { expect, test } from 'vitest'
import { memoryReplayStore } from './replayStore.ts'

test('an ID is used once, also by concurrent callers', async () => {
  const store = memoryReplayStore()
  expect(await store.isUsed('nonce a')).toBe(false)
  const used = await Promise.all([store.markUsed('nonce a', 10), store.markUsed('nonce a', 10)])
  expect(used.sort()).toEqual([false, true])
  expect([await store.isUsed('nonce a'), await store.isUsed('nonce b')]).toEqual([true, false])
})

test('a sweep deletes what expired before the given time, and nothing else', async () => {
  const store = memoryReplayStore()
  await store.markUsed('before', 99)
  await store.markUsed('at', 100)
  await store.markUsed('after', 101)
  await store.sweep(100)
  expect(await Promise.all(['before', 'at', 'after'].map((id) => store.isUsed(id)))).toEqual([false, true, true])
})

test('without a sweep of its owner, expired IDs are deleted at more than 1,000, and then at twice as many as remain', async () => {
  let now = 0
  const store = memoryReplayStore(() => now)
  for (let count = 0; count < 1000; count++) await store.markUsed(`short ${count}`, 50)
  now = 100
  expect(await store.isUsed('short 0')).toBe(true)
  await store.markUsed('long 0', 1_000)
  expect(await Promise.all([store.isUsed('short 0'), store.isUsed('short 999')])).toEqual([false, false])

  for (let count = 1; count < 1501; count++) await store.markUsed(`long ${count}`, 1_000)
  // 1,001 unexpired IDs were left by the second sweep, so the third one comes after 2,002.
  now = 2_000
  for (let count = 1501; count < 2002; count++) await store.markUsed(`long ${count}`, 3_000)
  expect(await store.isUsed('long 0')).toBe(true)
  await store.markUsed('long 2002', 3_000)
  expect(await Promise.all([store.isUsed('long 0'), store.isUsed('long 2001')])).toEqual([false, true])
})
