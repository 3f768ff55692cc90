import { expect, test } from 'vitest'
import { createTokenBucket, createTokenBuckets, type TokenBucketRate } from './tokenBucket.ts'

function bucketsAt(rate: TokenBucketRate) {
  // Starts above zero, because the real clock counts from the start of the process.
  const time = { now: 7_000 }
  return { time, ...createTokenBuckets(rate, () => time.now) }
}

test.each([
  ['using the burst does not require a wait', 100, 1, 0],
  ['exceeding the burst by one requires a wait of a tenth of a second', 101, 1, 100],
  ['a larger group has a larger burst', 400, 4, 0],
  ['a larger group refills faster', 404, 4, 100],
  ['a wait is rounded up to whole milliseconds', 100.001, 1, 1],
])('%s', (_, cost, share, waitMs) => {
  const buckets = bucketsAt({ burst: 100, perSecond: 10 })
  buckets.charge('name', cost, share)
  expect(buckets.waitMs('name', share)).toBe(waitMs)
  expect(buckets.waitMs('other', share)).toBe(0)
})

test.each([
  ['a single client', 1, 2_000],
  ['a group of four', 4, 500],
])('an overdrawn bucket refills over time and builds up no credit: %s', (_, share, waitMs) => {
  const { time, charge, waitMs: left } = bucketsAt({ burst: 0, perSecond: 10 })
  charge('name', 20, share)
  expect(left('name', share)).toBe(waitMs)
  time.now += waitMs / 2
  expect(left('name', share)).toBe(waitMs / 2)
  time.now += 10 * waitMs
  expect(left('name', share)).toBe(0)
  charge('name', 20, share)
  expect(left('name', share)).toBe(waitMs)
})

test('0 per second means no limit', () => {
  const { charge, waitMs } = bucketsAt({ burst: 10, perSecond: 0 })
  charge('name', 1_000)
  expect(waitMs('name')).toBe(0)
})

test('up to 50,000 names are tracked, and adding one more evicts the least recently charged name', () => {
  const { charge, waitMs } = bucketsAt({ burst: 0, perSecond: 1 })
  for (let at = 0; at < 50_000; at += 1) charge(`${at}`, 1)
  charge('0', 1)
  expect([waitMs('0'), waitMs('1')]).toEqual([2_000, 1_000])
  charge('one more', 1)
  expect([waitMs('0'), waitMs('1'), waitMs('2'), waitMs('one more')]).toEqual([2_000, 0, 1_000, 1_000])
})

test('a bucket gives out either all requested tokens or none, and refills up to the burst', () => {
  const time = { now: 7_000 }
  const bucket = createTokenBucket({ burst: 3, perSecond: 2 }, () => time.now)
  expect([bucket.take(2), bucket.take(2), bucket.take(1), bucket.take(1)]).toEqual([true, false, true, false])
  time.now += 500
  expect([bucket.take(1), bucket.take(1)]).toEqual([true, false])
  time.now += 60_000
  expect([bucket.take(4), bucket.take(3), bucket.take(1)]).toEqual([false, true, false])
})
