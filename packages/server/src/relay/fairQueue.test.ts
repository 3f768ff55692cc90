import { seededRandom } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createFairQueue } from './fairQueue.ts'

/** Creates a queue that uses the test's clock and event loop. */
function turnsAt() {
  // Starts above zero, because the real clock counts from the start of the process.
  const time = { now: 5_000 }
  const tasks: (() => void)[] = []
  const turns = createFairQueue({ clock: () => time.now, defer: (task) => tasks.push(task) })
  /** Runs the deferred tasks. */
  const loop = async (): Promise<void> => {
    for (const task of tasks.splice(0)) task()
    for (let step = 0; step < 100; step++) await undefined
  }
  return { time, turns, loop }
}

test('runs calls immediately until the time slice is used up, and then makes all callers wait for the event loop', async () => {
  const { time, turns, loop } = turnsAt()
  expect(turns.next('one')).toBeUndefined()
  time.now += 4
  expect(turns.next('one')).toBeUndefined()
  time.now += 1
  const done: string[] = []
  void turns.next('one')?.then(() => done.push('one'))
  await undefined
  expect(done).toEqual([])
  await loop()
  expect(done).toEqual(['one'])
})

test('runs the caller that has recently used the least time first, and stops when the time slice is used up', async () => {
  const { time, turns, loop } = turnsAt()
  void turns.next('hostile')
  time.now += 10
  const done: string[] = []
  const ask = (caller: string): void =>
    void turns.next(caller)?.then(() => {
      done.push(caller)
      time.now += 2
    })
  for (let nth = 0; nth < 100; nth++) ask('hostile')
  ask('honest')
  await loop()
  expect(done.slice(0, 2)).toEqual(['hostile', 'honest'])
  expect(done).toHaveLength(3)
  // A new caller that has used no time yet is next, no matter how many callers are queued.
  ask('late')
  await loop()
  expect(done[3]).toBe('late')
})

test('queues a call that arrives while other calls are waiting, even if the time slice is not used up', async () => {
  const { time, turns, loop } = turnsAt()
  void turns.next('filler')
  time.now += 5
  const immediate: boolean[] = []
  for (const caller of ['one', 'two'])
    void turns.next(caller)?.then(() => void immediate.push(turns.next('late') === undefined))
  await loop()
  expect(immediate).toEqual([false, false])
})

test.each([
  ['the same amount of time', 3, 500, 3, 'first'],
  ['more time', 4, 500, 3, 'second'],
  ['more time, almost a second ago', 4, 999, 3, 'second'],
  ['more time, but a second ago, so only half of it counts', 4, 1_000, 3, 'first'],
  ['much more time, a second ago', 4, 1_000, 1, 'second'],
  ['less than half a millisecond, but a second ago, so it no longer counts', 0.4, 1_000, 0, 'first'],
  ['half a millisecond, a second ago', 0.5, 1_000, 0, 'second'],
])(
  'the caller that has waited longest is next, unless it has used more time: it has used %s',
  async (_, firstMs, passedMs, secondMs, next) => {
    const { time, turns, loop } = turnsAt()
    const start = time.now
    /** Queues these callers and resolves to the order in which they run at `at`. */
    const turnsOf = async (at: number, callers: Record<string, number>): Promise<string[]> => {
      time.now = at - 5
      expect(turns.next('filler')).toBeUndefined()
      time.now = at
      const done: string[] = []
      for (const [caller, ms] of Object.entries(callers))
        void turns.next(caller)?.then(() => {
          done.push(caller)
          time.now += ms
        })
      await loop()
      await loop()
      return done
    }
    await turnsOf(start + 5, { first: firstMs })
    await turnsOf(start + passedMs, { second: secondMs })
    const [found] = await turnsOf(start + passedMs + 20, { first: 0, second: 0 })
    expect(found).toBe(next)
  },
)

test('with many callers, the next one is always the one that has used the least time', async () => {
  const { time, turns, loop } = turnsAt()
  const { int: below } = seededRandom(13)
  void turns.next('filler')
  time.now += 5
  const used = new Map<string, number>()
  const waiting = new Map<string, number>()
  const done: string[] = []
  const wrong: string[] = []
  for (let nth = 0; nth < 300; nth++) {
    const caller = `caller ${below(60)}`
    waiting.set(caller, (waiting.get(caller) ?? 0) + 1)
    void turns.next(caller)?.then(() => {
      const use = used.get(caller) ?? 0
      if ([...waiting.keys()].some((other) => (used.get(other) ?? 0) < use)) wrong.push(caller)
      const left = (waiting.get(caller) ?? 0) - 1
      if (left > 0) waiting.set(caller, left)
      else waiting.delete(caller)
      // Powers of two, because their sums are exact.
      const ms = 2 ** -below(6)
      used.set(caller, use + ms)
      time.now += ms
      done.push(caller)
    })
  }
  for (let turn = 0; turn < 60; turn++) await loop()
  expect(done).toHaveLength(300)
  expect(wrong).toEqual([])
})
