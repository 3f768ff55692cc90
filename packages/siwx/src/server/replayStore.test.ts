import { expect, test } from 'vitest'
import { memoryReplayStore } from './replayStore.ts'

test('an ID can be used only once, even by concurrent callers', async () => {
  const store = memoryReplayStore()
  expect(await store.isUsed('nonce a')).toBe(false)
  const used = await Promise.all([store.markUsed('nonce a', 10), store.markUsed('nonce a', 10)])
  expect(used.sort()).toEqual([false, true])
  expect([await store.isUsed('nonce a'), await store.isUsed('nonce b')]).toEqual([true, false])
})

test('a sweep deletes only the IDs that expired before the given time', async () => {
  const store = memoryReplayStore()
  await store.markUsed('before', 99)
  await store.markUsed('at', 100)
  await store.markUsed('after', 101)
  await store.sweep(100)
  expect(await Promise.all(['before', 'at', 'after'].map((id) => store.isUsed(id)))).toEqual([false, true, true])
})

test('expired IDs are deleted without a sweep once more than 1,000 IDs are stored, and then whenever the number of IDs has doubled', async () => {
  let now = 0
  const store = memoryReplayStore(() => now)
  for (let count = 0; count < 1000; count++) await store.markUsed(`short ${count}`, 50)
  now = 100
  expect(await store.isUsed('short 0')).toBe(true)
  await store.markUsed('long 0', 1_000)
  expect(await Promise.all([store.isUsed('short 0'), store.isUsed('short 999')])).toEqual([false, false])

  for (let count = 1; count < 1501; count++) await store.markUsed(`long ${count}`, 1_000)
  // The second sweep left 1,001 unexpired IDs, so the third sweep runs after 2,002.
  now = 2_000
  for (let count = 1501; count < 2002; count++) await store.markUsed(`long ${count}`, 3_000)
  expect(await store.isUsed('long 0')).toBe(true)
  await store.markUsed('long 2002', 3_000)
  expect(await Promise.all([store.isUsed('long 0'), store.isUsed('long 2001')])).toEqual([false, true])
})
