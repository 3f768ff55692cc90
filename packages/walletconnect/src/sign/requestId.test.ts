import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { primitives } from '../crypto/primitives.ts'
import { createdAt, isExpired, requestIds } from './requestId.ts'

const now = 1_700_000_000_000

test('IDs are safe integers that start with the time and increase even if the clock does not advance', async () => {
  const nextId = requestIds(await primitives(), fakeClock(now))
  const ids = Array.from({ length: 50 }, nextId)
  expect(ids.every(Number.isSafeInteger)).toBe(true)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  expect(createdAt(ids[0] as number)).toBe(1_700_000_000)
})

test('a request whose ID has a different format has no known creation time and never expires', () => {
  expect(createdAt(7)).toBeUndefined()
  expect(isExpired(7, 1, fakeClock(now))).toBe(false)
})

test('a request expires one hour after its TTL, to allow for clock skew', async () => {
  const clock = fakeClock(now)
  await clock.pass((300 + 3_600) * 1_000)
  expect(isExpired(now * 1_000, 300, clock)).toBe(false)
  await clock.pass(1_000)
  expect(isExpired(now * 1_000, 300, clock)).toBe(true)
})
