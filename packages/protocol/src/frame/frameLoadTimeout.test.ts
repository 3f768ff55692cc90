import { expect, test } from 'vitest'
import { fakeClock } from '../testing/fakeClock.ts'
import { createFrameLoadTimeout } from './frameLoadTimeout.ts'

function frameLoadTimeout() {
  const clock = fakeClock()
  const events: string[] = []
  const start = createFrameLoadTimeout({ clock, loadTimeoutMs: 20_000, report: (name) => events.push(name) })
  return { clock, events, start: () => start(({ code }) => events.push(code)) }
}

test('a frame load timeout reports iframe_load_failed before it calls the caller, and only once', async () => {
  const { clock, events, start } = frameLoadTimeout()
  start()
  await clock.pass(19_999)
  expect(events).toEqual([])
  await clock.pass(60_000)
  expect(events).toEqual(['iframe_load_failed', 'frame/unreachable'])
})

test('a cancelled frame load timeout reports nothing', async () => {
  const { clock, events, start } = frameLoadTimeout()
  start()()
  await clock.pass(60_000)
  expect(events).toEqual([])
  expect(clock.waiting).toBe(0)
})
