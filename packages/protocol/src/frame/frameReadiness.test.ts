import { expect, test } from 'vitest'
import { fakeClock } from '../testing/fakeClock.ts'
import { createFrameReadiness, type FrameReadiness } from './frameReadiness.ts'

function frameReadiness() {
  const clock = fakeClock()
  const timeouts: string[] = []
  const readiness = createFrameReadiness({
    clock,
    loadTimeoutMs: 20_000,
    settleMs: 500,
    onTimeout: ({ code }) => timeouts.push(code),
  })
  return { clock, timeouts, readiness }
}

/** Waits, and collects the outcome. */
function outcomeOf(
  readiness: FrameReadiness,
  until: 'ready' | 'settled',
  options: Parameters<FrameReadiness['wait']>[1] = { timed: false },
): string[] {
  const outcome: string[] = []
  readiness.wait(until, options, { resolve: () => outcome.push(until), reject: ({ code }) => outcome.push(code) })
  return outcome
}

test('callers continue synchronously in order on READY, and others once the frame is settled', async () => {
  const { readiness, clock } = frameReadiness()
  const [ready, settled] = [outcomeOf(readiness, 'ready'), outcomeOf(readiness, 'settled')]
  readiness.markReady()
  expect([ready, settled, outcomeOf(readiness, 'ready')]).toEqual([['ready'], [], ['ready']])
  await clock.pass(500)
  expect([settled, outcomeOf(readiness, 'settled')]).toEqual([['settled'], ['settled']])
})

test('a frame that does not load in time rejects every caller, if one of them is timed', async () => {
  const { readiness, clock, timeouts } = frameReadiness()
  const untimed = outcomeOf(readiness, 'ready')
  await clock.pass(60_000)
  expect(untimed).toEqual([])
  const timed = outcomeOf(readiness, 'settled', { timed: true })
  await clock.pass(20_000)
  expect([untimed, timed, timeouts]).toEqual([['frame/unreachable'], ['frame/unreachable'], ['frame/unreachable']])
  readiness.markReady()
  expect(outcomeOf(readiness, 'ready')).toEqual(['ready'])
})

test('an aborted caller stops waiting', () => {
  const { readiness, clock } = frameReadiness()
  const stop = new AbortController()
  const aborted = outcomeOf(readiness, 'ready', { timed: true, signal: stop.signal })
  stop.abort()
  readiness.markReady()
  expect(aborted).toEqual(['frame/aborted'])
  // Only the timer until the frame is settled is left.
  expect(clock.waiting).toBe(1)
})

test('once closed, waiting and later callers are rejected', () => {
  const { readiness, clock } = frameReadiness()
  const waiting = outcomeOf(readiness, 'settled')
  readiness.markReady()
  readiness.close()
  expect([waiting, outcomeOf(readiness, 'ready')]).toEqual([['frame/aborted'], ['frame/no-iframe']])
  expect([readiness.isClosed, clock.waiting]).toEqual([true, 0])
})
