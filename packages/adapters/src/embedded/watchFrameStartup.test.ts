import { fakeClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { watchFrameStartup } from './watchFrameStartup.ts'

function page() {
  const clock = fakeClock()
  const events: unknown[] = []
  let isReady = false
  const startup = watchFrameStartup({
    clock,
    isReady: () => isReady,
    reload: () => void events.push('reload'),
    failed: (symptom, { code }) => void events.push({ ...symptom, code }),
    late: () => void events.push('late'),
    timedOut: ({ hasLoaded }) => void events.push(`timed out ${hasLoaded}`),
  })
  return {
    clock,
    events,
    startup,
    ready(version?: string) {
      isReady = true
      return startup.ready(version)
    },
  }
}

test('reports once that a frame is late after five seconds, and that it has timed out after twenty', async () => {
  const { clock, events } = page()
  await clock.pass(4_999)
  expect(events).toEqual([])
  await clock.pass(1)
  expect(events).toEqual(['late'])
  await clock.pass(14_999)
  expect(events).toEqual(['late'])
  await clock.pass(1)
  expect(events).toEqual(['late', 'timed out false'])
  await clock.pass(60_000)
  expect(events).toHaveLength(2)
})

test('a frame that is ready after six seconds is only late', async () => {
  const { clock, events, ready } = page()
  await clock.pass(6_000)
  ready('4')
  await clock.pass(60_000)
  expect(events).toEqual(['late'])
})

test('fails if a loaded document is not ready after four seconds, and reloads the frame on the next attempt', async () => {
  const { clock, events, startup } = page()
  startup.loaded()
  await clock.pass(4_000)
  expect(events).toEqual([{ hasLoaded: true, code: 'frame/unreachable' }])
  startup.retry()
  startup.retry()
  expect(events.slice(1)).toEqual(['reload'])
  await clock.pass(20_000)
  expect(events.slice(2)).toEqual(['late', 'timed out false'])
  startup.retry()
  expect(events.slice(4)).toEqual(['reload'])
})

test('fails immediately if the page blocks the frame', () => {
  const { events, startup } = page()
  startup.blocked('frame-src')
  startup.blocked(undefined)
  expect(events).toEqual([
    { policy: 'frame-src', hasLoaded: false, code: 'frame/unreachable' },
    { policy: undefined, hasLoaded: false, code: 'frame/load-failed' },
  ])
})

test.each([undefined, '4', '0.0.0'])(
  'neither reports nor reloads a frame that is ready with version %s',
  async (version) => {
    const { clock, events, startup, ready } = page()
    startup.loaded()
    expect(ready(version)).toBe(true)
    await clock.pass(30_000)
    startup.retry()
    startup.assertCompatible()
    expect(events).toEqual([])
  },
)

test('rejects a frame with a different protocol version', () => {
  const { events, startup, ready } = page()
  expect(ready('5')).toBe(false)
  expect(events).toEqual([{ version: '5', hasLoaded: false, code: 'frame/unreachable' }])
  expect(() => startup.assertCompatible()).toThrow(expect.objectContaining({ code: 'frame/unreachable' }))
})

test('reports nothing after the frame has been removed', async () => {
  const { clock, events, startup } = page()
  startup.stop()
  startup.loaded()
  await clock.pass(30_000)
  expect(events).toEqual([])
})
