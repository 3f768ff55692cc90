import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createDwellTimer } from './dwellTimer.ts'

function timer() {
  const clock = fakeClock(5_000)
  const cancels: (() => void)[] = []
  let calls = 0
  const window = {
    performance: { now: clock.now },
    setTimeout: (task: () => void, ms: number) => cancels.push(clock.after(ms, task)) - 1,
    clearTimeout: (timer: number) => cancels[timer]?.(),
  }
  return { clock, dwell: createDwellTimer(window, () => (calls += 1)), calls: () => calls }
}

test('measures the time since the first start and calls back once', async () => {
  const { clock, dwell, calls } = timer()
  expect(dwell.elapsedMs()).toBe(0)
  dwell.start(700)
  await clock.pass(400)
  dwell.start(700)
  await clock.pass(299)
  expect([dwell.elapsedMs(), calls()]).toEqual([699, 0])
  await clock.pass(1)
  expect([dwell.elapsedMs(), calls()]).toEqual([700, 1])
  // Measuring continues, but there is no second callback.
  dwell.start(700)
  await clock.pass(1_000)
  expect([dwell.elapsedMs(), calls()]).toEqual([1_700, 1])
})

test('a reset starts again from zero and cancels the callback', async () => {
  const { clock, dwell, calls } = timer()
  dwell.start(700)
  await clock.pass(699)
  dwell.reset()
  expect(dwell.elapsedMs()).toBe(0)
  dwell.start(700)
  await clock.pass(699)
  expect([dwell.elapsedMs(), calls()]).toEqual([699, 0])
  await clock.pass(1)
  expect(calls()).toBe(1)
})
