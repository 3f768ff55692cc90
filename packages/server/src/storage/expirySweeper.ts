import type { Log } from '../serverDependencies.ts'
import type { Connection } from './databaseConnection.ts'

const hourMs = 60 * 60_000

/** Removes expired data at startup and then about every hour. */
export interface Sweeper {
  /** Sweeps immediately, unless another instance is sweeping. Resolves to whether this instance swept. */
  sweep(): Promise<boolean>
  /** Sweeps immediately, and then on a schedule. */
  start(): void
  /** Cancels the schedule and waits for a running sweep to finish. */
  stop(): Promise<void>
}

/** A task that deletes one kind of expired data. */
export interface SweepTask {
  readonly what: string
  readonly sweep: () => Promise<unknown>
}

/** Creates a sweeper. If several instances share a database, only one sweeps at a time. The intervals are randomized. */
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
  /** Returns the log fields for an error. */
  fieldsOf: (error: unknown) => Readonly<Record<string, string>>
  random?: () => number
}): Sweeper {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let isStopped = false

  async function sweepAll(): Promise<void> {
    for (const { what, sweep } of tasks) {
      if (isStopped) return
      // If a task fails, the others still run.
      await sweep().catch((error: unknown) => log('warn', `expired ${what} were not deleted`, fieldsOf(error)))
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
      .catch((error: unknown) => log('warn', 'expired entries were not deleted', fieldsOf(error)))
      .finally(() => {
        if (isStopped) return
        // Between 45 and 75 minutes, so that instances that start together do not sweep together.
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
