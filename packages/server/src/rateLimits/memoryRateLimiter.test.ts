import { expect, test } from 'vitest'
import { createMemoryRateLimiter } from './memoryRateLimiter.ts'

test('a full minute’s allowance can be used at once and refills continuously', async () => {
  let now = 0
  const rates = createMemoryRateLimiter(() => now)
  const take = () => rates.take('ada', 60)
  for (let at = 0; at < 60; at += 1) expect(take()).toBe(0)
  expect(take()).toBe(1)
  now += 900
  expect(take()).toBe(1)
  now += 200
  expect(take()).toBe(0)
  expect(take()).toBe(1)
  now += 3_600_000
  for (let at = 0; at < 60; at += 1) expect(take()).toBe(0)
  expect(take()).toBe(1)
})

test('if a client exceeds a low limit, the limiter returns how long the client has to wait', () => {
  const rates = createMemoryRateLimiter(() => 0)
  expect(rates.take('ada', 2)).toBe(0)
  expect(rates.take('ada', 2)).toBe(0)
  expect(rates.take('ada', 2)).toBe(30)
})

test('each key has its own allowance, and a rejected request does not use it up', () => {
  let now = 0
  const rates = createMemoryRateLimiter(() => now)
  expect(rates.take('ada', 1)).toBe(0)
  for (let at = 0; at < 10; at += 1) expect(rates.take('ada', 1)).toBe(60)
  expect(rates.take('bob', 1)).toBe(0)
  now += 60_000
  expect(rates.take('ada', 1)).toBe(0)
})

test('a flood of keys cannot exhaust memory, because the least recently used keys are evicted', () => {
  const rates = createMemoryRateLimiter(() => 0)
  expect(rates.take('first', 1)).toBe(0)
  expect(rates.take('first', 1)).toBe(60)
  for (let at = 0; at < 100_001; at += 1) void rates.take(`a${at}`, 1)
  expect(rates.take('first', 1)).toBe(0)
})
