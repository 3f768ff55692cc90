import { expect, test } from 'vitest'
import { createServerClock } from './serverClock.ts'

test('the clock follows the server’s time from the first response, regardless of the device clock', () => {
  let local = 1_000
  let passed = 50
  const clock = createServerClock({ local: () => local, monotonic: () => passed })
  expect(clock.now()).toBe(1_000)
  clock.set(9_000_000)
  passed += 10
  local += 400 * 86_400_000
  expect(clock.now()).toBe(9_000_010)
  local = 0
  expect(clock.now()).toBe(9_000_010)
  clock.set(9_000_500)
  expect(clock.now()).toBe(9_000_500)
})
