import { expect, test } from 'vitest'
import { fakeClock } from '../testing/fakeClock.ts'
import { createFrameLoadTimeout } from './frameLoadTimeout.ts'
import { createFrameReadiness, type FrameReadiness } from './frameReadiness.ts'

function frameReadiness() {
  const clock = fakeClock()
  const timeouts: string[] = []
  const readiness = createFrameReadiness({
    clock,
    settleMs: 500,
    startLoadTimeout: createFrameLoadTimeout({
      clock,
      loadTimeoutMs: 20_000,
      report: (_, { code }) => timeouts.push(code),
    }),
  })
  return { clock, timeouts, readiness }
}

/** Calls `wait()` and returns an array that receives the outcome. */
function outcomeOf(
  readiness: FrameReadiness,
  until: 'ready' | 'settled',
  options: Parameters<FrameReadiness['wait']>[1] = { timed: false },
): string[] {
  const outcome: string[] = []
  readiness.wait(until, options, { resolve: () => outcome.push(until), reject: ({ code }) => outcome.push(code) })
  return outcome
}

test('READY synchronously resolves the calls that wait for it, in order; calls that wait for the frame to settle resolve later', async () => {
  const { readiness, clock } = frameReadiness()
  const [ready, settled] = [outcomeOf(readiness, 'ready'), outcomeOf(readiness, 'settled')]
  readiness.markReady()
  expect([ready, settled, outcomeOf(readiness, 'ready')]).toEqual([['ready'], [], ['ready']])
  await clock.pass(500)
  expect([settled, outcomeOf(readiness, 'settled')]).toEqual([['settled'], ['settled']])
})

test('all waiting callers are rejected if one of them is timed and the frame does not load in time', async () => {
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
  // The only remaining timer is the one that settles the frame.
  expect(clock.waiting).toBe(1)
})

test('close() rejects both waiting and later callers', () => {
  const { readiness, clock } = frameReadiness()
  const waiting = outcomeOf(readiness, 'settled')
  readiness.markReady()
  readiness.close()
  expect([waiting, outcomeOf(readiness, 'ready')]).toEqual([['frame/aborted'], ['frame/no-iframe']])
  expect([readiness.isClosed, clock.waiting]).toEqual([true, 0])
})
