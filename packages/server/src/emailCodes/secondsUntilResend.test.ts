import { expect, test } from 'vitest'
import { secondsUntilResend } from './secondsUntilResend.ts'

test('another email can be sent 30 seconds after the last one, or at once if there was none', () => {
  expect(secondsUntilResend(undefined, 1_000_000)).toBe(0)
  expect(secondsUntilResend(1_000_000, 1_000_000)).toBe(30)
  expect(secondsUntilResend(1_000_000, 1_029_001)).toBe(1)
  expect(secondsUntilResend(1_000_000, 1_030_000)).toBe(0)
})

test('the delay is at most 30 seconds, even if the clock has been set back by a minute since the last email', () => {
  expect(secondsUntilResend(1_000_000, 940_000)).toBe(30)
})
