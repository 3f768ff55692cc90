import { expect, test } from 'vitest'
import { createFairQueue } from './fairQueue.ts'

/** A queue with the clock and event loop of this test. */
function turnsAt() {
  const time = { now: 0 }
  const tasks: (() => void)[] = []
  const turns = createFairQueue({ clock: () => time.now, defer: (task) => tasks.push(task) })
  /** Runs the deferred tasks of the event loop. */
  const loop = async (): Promise<void> => {
    for (const task of tasks.splice(0)) task()
    for (let step = 0; step < 100; step++) await undefined
  }
  return { time, turns, loop }
}

test('the queue runs work immediately while there is time, then makes all callers wait for the event loop', async () => {
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

test('turns go first to the caller with the lowest recent use, and stop when the time slice is used up', async () => {
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
  // A new caller without use is next, however many are queued.
  ask('late')
  await loop()
  expect(done[3]).toBe('late')
})
