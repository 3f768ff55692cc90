import { expect, test } from 'vitest'
import { createBackoff } from './backoff.ts'

test('the delays increase up to five seconds, and start over after a success', () => {
  const backoff = createBackoff()
  expect(Array.from({ length: 8 }, backoff.next)).toEqual([100, 200, 500, 1_000, 2_000, 5_000, 5_000, 5_000])
  backoff.reset()
  expect([backoff.next(), backoff.max(), backoff.next()]).toEqual([100, 5_000, 500])
})
