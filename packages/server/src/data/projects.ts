import { asc, eq } from 'drizzle-orm'
import type { Bus, Clock, Project, Projects } from '../ports.ts'
import type { Connection } from './connection.ts'
import { projects } from './schema.ts'

/** Projects in a database. */
export function databaseProjects({ connection, bus }: { connection: Connection; bus: Bus }): Projects {
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

/**
 * Projects kept in memory for `keepMs`, and for as long as the connection's stamp says that nobody wrote. When the store
 * does not answer, the last known ones stay in force.
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
  bus: Bus
  clock: Clock
  keepMs: number
}): Projects {
  let known: { list: readonly Project[]; stamp: string | undefined; until: number } | undefined
  let asking: Promise<readonly Project[]> | undefined
  let writes = 0

  bus.subscribe('projects', () => {
    known = undefined
    asking = undefined
    writes += 1
  })

  async function ask(): Promise<readonly Project[]> {
    const stamp = await connection.stamp()
    if (known && stamp !== undefined && known.stamp === stamp) {
      known = { ...known, until: clock() + keepMs }
      return known.list
    }
    const before = known
    const writesBefore = writes
    try {
      const list = await source.all()
      if (writes === writesBefore) known = { list, stamp, until: clock() + keepMs }
      return list
    } catch (error) {
      if (!before) throw error
      known = { ...before, until: clock() + keepMs }
      return before.list
    }
  }

  return {
    ...source,
    all: async () => {
      if (known && clock() < known.until) return known.list
      const mine = (asking ??= ask())
      try {
        return await mine
      } finally {
        if (asking === mine) asking = undefined
      }
    },
  }
}
