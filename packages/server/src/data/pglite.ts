import { stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { assetsFolder } from '../assets.ts'
import type { Connection, Database } from './connection.ts'
import { isWanted, lockFolder } from './folderLock.ts'

const lookMs = 250

interface Opened {
  client: PGlite
  database: Database
  leave: () => Promise<void>
}

/**
 * PostgreSQL inside this process, its files in `folder`.
 *
 * It holds some 160 MB and its folder while it is open, so it opens when it is needed and closes after `idleMs` without
 * work, or as soon as another process, the operator's command line, waits for the folder.
 */
export function pgliteConnection({
  folder,
  idleMs = 3000,
  waitMs = 15_000,
}: {
  folder: string
  idleMs?: number
  waitMs?: number
}): Connection {
  const stampFile = join(folder, 'stamp')
  let opened: Promise<Opened> | undefined
  let closing: Promise<void> = Promise.resolve()
  let users = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let migrated = false

  async function start(): Promise<Opened> {
    await closing
    const leave = await lockFolder(folder, { waitMs })
    try {
      const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
        import('@electric-sql/pglite'),
        import('drizzle-orm/pglite'),
        import('drizzle-orm/pglite/migrator'),
      ])
      const client = await PGlite.create({ dataDir: join(folder, 'db') })
      const database = drizzle(client)
      if (!migrated) await migrate(database, { migrationsFolder: join(assetsFolder(), 'migrations') })
      migrated = true
      return { client, database, leave }
    } catch (error) {
      await leave()
      throw error
    }
  }

  function shut(): Promise<void> {
    clearTimeout(timer)
    const last = opened
    opened = undefined
    if (last) {
      closing = last.then(
        ({ client, leave }) =>
          client
            .close()
            .catch(() => {})
            .then(leave),
        () => {},
      )
    }
    return closing
  }

  function rest(leftMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(
      async () => {
        if (leftMs <= lookMs || (await isWanted(folder))) {
          if (users === 0) await shut()
        } else if (users === 0) rest(leftMs - lookMs)
      },
      Math.min(leftMs, lookMs),
    )
    timer.unref()
  }

  return {
    use: async (work) => {
      clearTimeout(timer)
      users += 1
      opened ??= start()
      try {
        return await work((await opened.catch(forget)).database)
      } finally {
        users -= 1
        if (users === 0) rest(idleMs)
      }
    },
    stamp: async () => {
      const found = await stat(stampFile).catch(() => undefined)
      return String(found?.mtimeMs ?? 0)
    },
    touch: async () => {
      await writeFile(stampFile, '', { flag: 'a', mode: 0o600 })
      const now = new Date()
      await utimes(stampFile, now, now)
    },
    close: shut,
  }

  function forget(error: unknown): never {
    opened = undefined
    throw error
  }
}
