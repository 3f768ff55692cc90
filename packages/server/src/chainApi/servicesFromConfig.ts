import type { Config } from '../config/readConfig.ts'
import type { Connection } from '../data/databaseConnection.ts'
import type { RpcProxy } from '../serverDependencies.ts'
import type { ChainApi } from './chainApi.ts'

/** Creates the parts of the chain API that do not read from chains. Their modules are loaded only if they are configured. */
export async function servicesFromConfig({
  config,
  connection,
  chain,
  now,
}: {
  config: Pick<Config, 'names'>
  connection: Connection
  chain: RpcProxy
  /** Epoch milliseconds. */
  now: () => number
}): Promise<Pick<ChainApi, 'names'>> {
  const names =
    config.names &&
    (await import('./names/namesFromConfig.ts')).namesFromConfig({ config: config.names, connection, chain, now })
  return { names }
}
