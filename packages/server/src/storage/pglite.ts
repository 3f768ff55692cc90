import { constants, existsSync } from 'node:fs'
import { access, rename, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { isDiskError } from '../errors/storeErrors.ts'
import type { Connection, Database } from './databaseConnection.ts'
import { errnoOf, explained, syncFolder } from './durableFiles.ts'
import { isWanted, lockFolder } from './folderLock.ts'
import { assetsFolder } from './packageFiles.ts'
import { unpackPrebuiltDatabase } from './prebuiltDatabase.ts'
import { refuseNewerSchema } from './schemaVersion.ts'

const lookMs = 250

/** The marker file that exists while the database is being created. */
const unfinished = 'db.unfinished'

/** Prepares the folder for a new database if the folder contains none or if an earlier start was interrupted. */
async function beginFolder(folder: string, assets: string): Promise<void> {
  const [db, mark] = [join(folder, 'db'), join(folder, unfinished)]
  const wasBroken = existsSync(mark)
  if (wasBroken) await rm(db, { recursive: true, force: true })
  else if (existsSync(db)) {
    if (['PG_VERSION', 'global/pg_control', 'base/5/PG_VERSION'].every((file) => existsSync(join(db, file)))) return
    // An incomplete database without the marker was left by an earlier version. It should contain no user data, but it is renamed
    // rather than deleted to be safe.
    await rename(db, `${db}.incomplete-${Date.now()}`)
  }
  if (!wasBroken) await writeFile(mark, '', { mode: 0o600 })
  await syncFolder(folder)
  // If this package does not include a prebuilt database, PGlite creates one when it opens.
  if (!(await unpackPrebuiltDatabase(db, assets))) await rm(db, { recursive: true, force: true })
}

async function completeFolder(folder: string): Promise<void> {
  if (!existsSync(join(folder, unfinished))) return
  await rm(join(folder, unfinished))
  await syncFolder(folder)
}

/** The size of a PostgreSQL WAL segment, in bytes. PostgreSQL does not start with less free space than this. */
const segmentBytes = 16_777_216

/** Returns an error with the code ENOSPC if the disk is full, because PGlite's file system does not report an errno. */
async function withErrno(error: unknown, folder: string): Promise<unknown> {
  if (errnoOf(error)?.startsWith('E')) return error
  const disk = await statfs(folder).catch(() => undefined)
  if (!disk || disk.bavail * disk.bsize >= segmentBytes) return error
  return Object.assign(new Error('No space left on the disk', { cause: error }), { code: 'ENOSPC' })
}

/** The free space below which the disk is considered full, in bytes. A few rows could use it up. */
const minBytes = 1_048_576

async function hasNoRoom(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => undefined)
  return disk !== undefined && disk.bavail * disk.bsize < minBytes
}

interface Opened {
  client: PGlite
  database: Database
  leave: () => Promise<void>
}

/**
 * Runs PostgreSQL in this process, with its files in `folder`. An open database uses about 160 MB and locks the folder.
 * Therefore, it is opened on demand and closed after `idleMs` without work, or as soon as another process waits for the folder,
 * such as the operator's command line.
 */
export function pgliteConnection({
  folder,
  idleMs = 3000,
  waitMs = 15_000,
  assets = assetsFolder(),
}: {
  folder: string
  idleMs?: number
  waitMs?: number
  assets?: string
}): Connection {
  const stampFile = join(folder, 'stamp')
  let opened: Promise<Opened> | undefined
  let closing: Promise<void> = Promise.resolve()
  let users = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let migrated = false
  let isFull = false
  const busy = new Set<string>()

  async function start(): Promise<Opened> {
    await closing
    const leave = await lockFolder(folder, { waitMs }).catch((error: unknown) => {
      throw explained(error, folder)
    })
    try {
      const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
        import('@electric-sql/pglite'),
        import('drizzle-orm/pglite'),
        import('drizzle-orm/pglite/migrator'),
      ])
      await beginFolder(folder, assets)
      const client = await PGlite.create({ dataDir: join(folder, 'db') })
      try {
        const database = drizzle(client)
        if (!migrated) {
          const migrationsFolder = join(assets, 'migrations')
          await refuseNewerSchema(database, migrationsFolder)
          await migrate(database, { migrationsFolder })
        }
        await completeFolder(folder)
        migrated = true
        return { client, database, leave }
      } catch (error) {
        await client.close().catch(() => {})
        throw error
      }
    } catch (error) {
      const cause = await withErrno(error, folder)
      await leave()
      throw explained(cause, folder)
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
      } catch (error) {
        if (isDiskError(error)) isFull = true
        throw error
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
    // If the database is closed, only the folder is checked, because opening the database for each check would be too expensive.
    ping: async () => {
      if (isFull) isFull = await hasNoRoom(folder)
      const { client } = (await opened) ?? {}
      if (client) await client.query('select 1')
      else await access(folder, constants.W_OK)
    },
    isDiskFull: () => isFull,
    // No other process can use the folder while the database is open, so only work in this process can overlap.
    alone: async (name, work) => {
      if (busy.has(name)) return undefined
      busy.add(name)
      try {
        return await work()
      } finally {
        busy.delete(name)
      }
    },
    close: shut,
  }

  function forget(error: unknown): never {
    opened = undefined
    throw error
  }
}
