import type { Clock } from '../clock.ts'

/** A clock that moves when it is told to. */
export interface FakeClock extends Clock {
  /** Moves on by `ms`, running what falls due in order, and lets promises settle in between. */
  pass(ms: number): Promise<void>
  /** How many tasks wait. */
  readonly waiting: number
}

/** A clock that stands at `start` [1,000,000] until `pass` is called. */
export function fakeClock(start = 1_000_000): FakeClock {
  let now = start
  let tasks: { at: number; task: () => void }[] = []
  return {
    now: () => now,
    after(ms, task) {
      const entry = { at: now + ms, task }
      tasks.push(entry)
      return () => {
        tasks = tasks.filter((each) => each !== entry)
      }
    },
    async pass(ms) {
      const until = now + ms
      await settled()
      for (;;) {
        const due = tasks.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        tasks = tasks.filter((each) => each !== due)
        now = Math.max(now, due.at)
        due.task()
        await settled()
      }
      now = until
      await settled()
    },
    get waiting() {
      return tasks.length
    },
  }
}

/** Lets every promise that can settle do so: a macrotask comes after all microtasks, several for chained loads. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}
