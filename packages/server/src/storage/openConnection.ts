import type { Config } from '../config/readConfig.ts'
import type { Log } from '../serverDependencies.ts'
import type { Connection } from './databaseConnection.ts'
import { openStoreWithRetry } from './openStoreWithRetry.ts'
import { pgliteConnection } from './pglite.ts'
import { postgresConnection } from './postgres.ts'

/** Opens the configured database: a PostgreSQL server if `databaseUrl` is set, otherwise an embedded database in a folder. */
export async function openConnection({ config, log }: { config: Config; log: Log }): Promise<Connection> {
  const { databaseUrl, startTimeoutMs } = config
  if (databaseUrl)
    return openStoreWithRetry({
      open: () => postgresConnection({ url: databaseUrl, log }),
      store: { setting: 'DATABASE_URL', url: databaseUrl, product: 'PostgreSQL' },
      timeoutMs: startTimeoutMs,
      log,
    })
  return pgliteConnection({ folder: config.dataFolder, idleMs: config.databaseIdleSeconds * 1000 })
}
