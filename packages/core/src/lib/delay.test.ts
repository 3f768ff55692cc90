import { expect, test } from 'vitest'
import { fakeClock } from '../testing/index.ts'
import { delay, settledWithin } from './delay.ts'

test('delay() resolves after the specified time or when the signal aborts', async () => {
  const clock = fakeClock()
  const ended: string[] = []
  const controller = new AbortController()
  void delay({ clock, ms: 100 }).then(() => ended.push('time'))
  void delay({ clock, ms: 100, signal: controller.signal }).then(() => ended.push('abort'))
  controller.abort()
  await clock.pass(99)
  expect(ended).toEqual(['abort'])
  await clock.pass(1)
  expect(ended).toEqual(['abort', 'time'])
  expect(clock.waiting).toBe(0)
})

test('settledWithin() resolves when the promise resolves or rejects, or after the timeout', async () => {
  const clock = fakeClock()
  await settledWithin(Promise.reject(new Error('no image')), { clock, ms: 100 })
  expect(clock.waiting).toBe(0)
  let ended = false
  void settledWithin(new Promise(() => {}), { clock, ms: 100 }).then(() => {
    ended = true
  })
  await clock.pass(99)
  expect(ended).toBe(false)
  await clock.pass(1)
  expect(ended).toBe(true)
})
