import type { Connection } from './data/databaseConnection.ts'
import type { Log } from './serverPorts.ts'

const hourMs = 60 * 60_000

/** Forgets what is over: at the start, then about every hour. */
export interface Sweeper {
  /** Sweeps now, unless another instance is at it; answers whether it did. */
  sweep(): Promise<boolean>
  /** Sweeps now and from then on by schedule. */
  start(): void
  /** Ends the schedule, and waits for a sweep that runs. */
  stop(): Promise<void>
}

/** One thing to be swept. */
export interface SweepTask {
  readonly what: string
  readonly sweep: () => Promise<unknown>
}

/** A sweeper over its tasks. Of several instances over one database one sweeps at a time; the hours of each differ by chance. */
export function createSweeper({
  tasks,
  connection,
  log,
  fieldsOf,
  random = Math.random,
}: {
  tasks: readonly SweepTask[]
  connection: Pick<Connection, 'alone'>
  log: Log
  /** What the log tells of an error. */
  fieldsOf: (error: unknown) => Readonly<Record<string, string>>
  random?: () => number
}): Sweeper {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let isStopped = false

  async function sweepAll(): Promise<void> {
    for (const { what, sweep } of tasks) {
      if (isStopped) return
      // One that fails does not keep the others from being swept.
      await sweep().catch((error: unknown) => log('warn', `${what} were not swept`, fieldsOf(error)))
    }
  }

  async function sweep(): Promise<boolean> {
    return (
      (await connection.alone('sweep', async () => {
        await sweepAll()
        return true
      })) ?? false
    )
  }

  function run(): void {
    running = sweep()
      .catch((error: unknown) => log('warn', 'nothing was swept', fieldsOf(error)))
      .finally(() => {
        if (isStopped) return
        // Between 45 and 75 minutes: instances that were started together drift apart.
        timer = setTimeout(run, hourMs * (0.75 + random() * 0.5))
        timer.unref()
      })
  }

  return {
    sweep,
    start: run,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
