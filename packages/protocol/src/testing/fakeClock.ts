import type { Clock } from '../clock.ts'

/** A clock that tests advance. */
export interface FakeClock extends Clock {
  /** Advances by `ms`, runs due tasks in order, and lets promises settle in between. */
  pass(ms: number): Promise<void>
  /** The number of scheduled tasks. */
  readonly waiting: number
}

/** Creates a clock that stays at `start` [1,000,000] until `pass` is called. */
export function fakeClock(start = 1_000_000): FakeClock {
  let now = start
  let tasks: { at: number; task: () => void }[] = []
  return {
    now: () => now,
    after(ms, task) {
      const entry = { at: now + ms, task }
      tasks.push(entry)
      return () => {
        tasks = tasks.filter((other) => other !== entry)
      }
    },
    async pass(ms) {
      const until = now + ms
      await settled()
      for (;;) {
        const due = tasks.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        tasks = tasks.filter((other) => other !== due)
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

/** Waits until promises have settled: a macrotask runs after all microtasks, and chained loads need several. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}
