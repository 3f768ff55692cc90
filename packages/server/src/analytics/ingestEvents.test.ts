import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { inMemoryEvents } from '../inMemoryDependencies.ts'
import type { AnalyticsEvent } from '../serverDependencies.ts'
import { createEventIngest } from './ingestEvents.ts'

function event(id: number): AnalyticsEvent {
  return {
    projectId: 'shop',
    eventId: String(id),
    url: '',
    domain: '',
    timestamp: new Date(0),
    type: '',
    event: 'E',
    properties: {},
    address: null,
  }
}

const events = (count: number) => Array.from({ length: count }, (_, id) => event(id))

function setUp() {
  const store = inMemoryEvents()
  const state = { writes: [] as number[], down: false }
  const intake = createEventIngest({
    events: {
      ...store,
      insert: async (batch) => {
        if (state.down) throw new Error('down')
        state.writes.push(batch.length)
        await store.insert(batch)
      },
    },
    log: () => {},
  })
  return { store, state, intake }
}

describe('createEventIngest', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('writes events together after two seconds', async () => {
    const { state, intake } = setUp()
    intake.accept([event(1)])
    intake.accept([event(2)])
    await vi.advanceTimersByTimeAsync(1999)
    expect(state.writes).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(state.writes).toEqual([2])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.writes).toEqual([2])
  })

  test('writes a batch of 200 events immediately, and no batch is larger', async () => {
    const { state, intake } = setUp()
    intake.accept(events(450))
    await vi.advanceTimersByTimeAsync(0)
    expect(state.writes).toEqual([200, 200, 50])
  })

  test('buffers events up to a limit while the store is down, and writes them once the store is back', async () => {
    const { store, state, intake } = setUp()
    state.down = true
    expect(intake.accept(events(9999))).toBe(9999)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(intake.accept([event(10_001), event(10_002)])).toBe(1)
    expect(intake.accept([event(10_003)])).toBe(0)
    state.down = false
    await vi.advanceTimersByTimeAsync(2000)
    expect(store.all).toHaveLength(10_000)
  })

  test('flush() also writes events that arrive during the write', async () => {
    const { store, intake } = setUp()
    intake.accept([event(1)])
    const flushing = intake.flush()
    intake.accept([event(2)])
    await flushing
    expect(store.all).toHaveLength(2)
  })
})
