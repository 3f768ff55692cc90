import { expect, test } from 'vitest'
import { fakeClock } from '../testing/index.ts'
import { delay, settledWithin } from './delay.ts'

test('a delay ends after its time, or when it is aborted', async () => {
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

test('waiting for a promise ends when it settles, even if it rejects, or after the timeout', async () => {
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
