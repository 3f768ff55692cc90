import { expect, test } from 'vitest'
import { createBackoff } from './backoff.ts'

test('the delay increases up to five seconds, and starts over after a reset', () => {
  const backoff = createBackoff()
  expect(Array.from({ length: 8 }, backoff.next)).toEqual([100, 200, 500, 1_000, 2_000, 5_000, 5_000, 5_000])
  backoff.reset()
  expect([backoff.next(), backoff.max(), backoff.next()]).toEqual([100, 5_000, 500])
})
