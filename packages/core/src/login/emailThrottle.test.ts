import { expect, test } from 'vitest'
import { createRecords } from '../storage/storageSchema.ts'
import { fakeClock, memoryStorage } from '../testing/index.ts'
import { createEmailThrottle } from './emailThrottle.ts'

function throttleOf(lastSent?: number) {
  const clock = fakeClock()
  const storage = memoryStorage()
  const records = createRecords({ storage: () => storage, log: { warn() {} } })
  if (lastSent !== undefined) records.lastEmailLoginTime.set(lastSent)
  const changes: (number | undefined)[] = []
  const throttle = createEmailThrottle({
    lastSent: records.lastEmailLoginTime,
    clock,
    changed: (resendAt) => changes.push(resendAt),
  })
  return { throttle, clock, changes }
}

test('another email can be requested 30 seconds after the last email was sent', async () => {
  const { throttle, clock, changes } = throttleOf()
  throttle.check()
  throttle.sent()
  const resendAt = clock.now() + 30_000
  await clock.pass(28_500)
  expect(throttle.secondsToWait()).toBe(2)
  expect(() => throttle.check()).toThrowError(expect.objectContaining({ code: 'email/throttled' }) as Error)
  await clock.pass(1_500)
  expect(throttle.secondsToWait()).toBe(0)
  expect(changes).toEqual([resendAt, undefined])
  expect(clock.waiting).toBe(0)
})

test('a stored time in the future is ignored, and clear() allows another email immediately', () => {
  expect(throttleOf(2_000_000).throttle.resendAt()).toBeUndefined()
  const { throttle } = throttleOf(999_999)
  expect(throttle.resendAt()).toBe(1_029_999)
  throttle.clear()
  expect(throttle.resendAt()).toBeUndefined()
})

test('no changes are reported after stop()', async () => {
  const { throttle, clock, changes } = throttleOf(999_999)
  throttle.update()
  throttle.stop()
  await clock.pass(60_000)
  expect(changes).toHaveLength(1)
})
