import { expect, test } from 'vitest'
import { createFairQueue } from './fairQueue.ts'

/** Turns over a clock and an event loop of this test. */
function turnsAt() {
  const time = { now: 0 }
  const tasks: (() => void)[] = []
  const turns = createFairQueue({ clock: () => time.now, defer: (task) => tasks.push(task) })
  /** The event loop looks after everything else, and comes back. */
  const loop = async (): Promise<void> => {
    for (const task of tasks.splice(0)) task()
    for (let step = 0; step < 100; step++) await undefined
  }
  return { time, turns, loop }
}

test('turns lets work begin at once while there is time, then makes everybody wait for the event loop', async () => {
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

test('turns are given first to whoever has used least of late, and stop when the time is over', async () => {
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
  // Whoever comes now and has used nothing is next, however many turns others wait for.
  ask('late')
  await loop()
  expect(done[3]).toBe('late')
})
