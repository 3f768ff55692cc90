import { asc, eq } from 'drizzle-orm'
import type { Clock, EventBus, Project, Projects } from '../serverDependencies.ts'
import type { Connection } from './databaseConnection.ts'
import { projects } from './serverSchema.ts'

/** Creates a project store that uses a database. */
export function databaseProjects({ connection, bus }: { connection: Connection; bus: EventBus }): Projects {
  async function changed(): Promise<void> {
    await connection.touch()
    bus.publish('projects')
  }

  return {
    all: () =>
      connection.use(async (database) => {
        const { id, name, allowedOrigins, features, analytics } = projects
        return database.select({ id, name, allowedOrigins, features, analytics }).from(projects).orderBy(asc(id))
      }),
    save: async (project) => {
      const row = { ...project, allowedOrigins: [...project.allowedOrigins], features: [...project.features] }
      await connection.use((database) =>
        database.insert(projects).values(row).onConflictDoUpdate({ target: projects.id, set: row }),
      )
      await changed()
    },
    remove: async (id) => {
      const removed = await connection.use((database) =>
        database.delete(projects).where(eq(projects.id, id)).returning({ id: projects.id }),
      )
      if (removed.length > 0) await changed()
      return removed.length > 0
    },
  }
}

/** How long a request waits for a refresh before it uses the cached list, in milliseconds. */
const refreshMs = 250
/** The maximum age of the cached list while the store is unavailable, in milliseconds. */
const staleMs = 24 * 60 * 60_000

/**
 * Caches projects for `keepMs`, and for longer while the connection's stamp is unchanged. If the store is slow or does not
 * respond, a request waits at most 250 ms for a refresh and then uses the cached list, which can be up to a day old.
 */
export function rememberedProjects({
  projects: source,
  connection,
  bus,
  clock,
  keepMs,
}: {
  projects: Projects
  connection: Pick<Connection, 'stamp'>
  bus: EventBus
  clock: Clock
  keepMs: number
}): Projects {
  let known: { list: readonly Project[]; stamp: string | undefined; until: number; readAt: number } | undefined
  let asking: { readonly answer: Promise<readonly Project[]>; readonly timeout: Promise<void> } | undefined
  let writes = 0

  bus.subscribe('projects', () => {
    known = undefined
    asking = undefined
    writes += 1
  })

  async function ask(): Promise<readonly Project[]> {
    const stamp = await connection.stamp()
    if (known && stamp !== undefined && known.stamp === stamp) {
      known = { ...known, until: clock() + keepMs, readAt: clock() }
      return known.list
    }
    const before = known
    const writesBefore = writes
    try {
      const list = await source.all()
      if (writes === writesBefore) known = { list, stamp, until: clock() + keepMs, readAt: clock() }
      return list
    } catch (error) {
      if (!before || clock() - before.readAt > staleMs) throw error
      known = { ...before, until: clock() + keepMs }
      return before.list
    }
  }

  function refresh(): NonNullable<typeof asking> {
    if (asking) return asking
    const answer = ask()
    const current = { answer, timeout: passed(refreshMs, answer) }
    asking = current
    const done = (): void => {
      if (asking === current) asking = undefined
    }
    answer.then(done, done)
    return current
  }

  return {
    ...source,
    cached: () => (known && clock() < known.until ? known.list : undefined),
    all: async () => {
      if (known && clock() < known.until) return known.list
      const { answer, timeout } = refresh()
      if (known && clock() - known.readAt <= staleMs) {
        const { list } = known
        return Promise.race([answer, timeout.then(() => list)])
      }
      return answer
    },
  }
}

/** Resolves after `ms`. Never resolves if `answer` settles before then. */
function passed(ms: number, answer: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const done = (): void => clearTimeout(timer)
    answer.then(done, done)
  })
}
