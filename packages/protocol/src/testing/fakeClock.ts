import type { Clock } from '../clock.ts'

/** A clock that only advances when a test tells it to. */
export interface FakeClock extends Clock {
  /** Advances the clock by `ms` and runs the due tasks in order. Promises settle between tasks. */
  pass(ms: number): Promise<void>
  /** The number of scheduled tasks. */
  readonly waiting: number
}

/** Creates a clock that stays at `start` until `pass` is called. */
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

/** Waits for promises to settle. A macrotask runs after all pending microtasks, and chained loads need several macrotasks. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}
