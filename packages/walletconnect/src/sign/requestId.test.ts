import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { primitives } from '../crypto/primitives.ts'
import { createdAt, isExpired, requestIds } from './requestId.ts'

const now = 1_700_000_000_000

test('IDs are safe integers that start with the time and increase while the clock stands still', async () => {
  const nextId = requestIds(await primitives(), fakeClock(now))
  const ids = Array.from({ length: 50 }, nextId)
  expect(ids.every(Number.isSafeInteger)).toBe(true)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  expect(createdAt(ids[0] as number)).toBe(1_700_000_000)
})

test('the time of an ID in another format is unknown, so that it never expires', () => {
  expect(createdAt(7)).toBeUndefined()
  expect(isExpired(7, 1, fakeClock(now))).toBe(false)
})

test('a request expires after its TTL and an hour of clock difference', async () => {
  const clock = fakeClock(now)
  await clock.pass((300 + 3_600) * 1_000)
  expect(isExpired(now * 1_000, 300, clock)).toBe(false)
  await clock.pass(1_000)
  expect(isExpired(now * 1_000, 300, clock)).toBe(true)
})
