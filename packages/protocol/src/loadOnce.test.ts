import { expect, test } from 'vitest'
import { loadOnce } from './loadOnce.ts'

test('loads the value on first use, and only once even if there are concurrent or later calls', async () => {
  let loads = 0
  const load = loadOnce(async () => (loads += 1))
  expect(loads).toBe(0)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

test('tries again on the next call if loading failed', async () => {
  let loads = 0
  const load = loadOnce(async () => {
    loads += 1
    if (loads === 1) throw new Error('offline')
    return loads
  })
  const first = await Promise.allSettled([load(), load()])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load()).toBe(2)
  expect(await load()).toBe(2)
})
