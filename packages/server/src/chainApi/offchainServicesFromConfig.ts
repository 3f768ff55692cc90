import type { Config } from '../config/readConfig.ts'
import type { Clock, RpcProxy } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import type { ChainApi } from './chainApiTypes.ts'
import { lazyService } from './lazyService.ts'
import { createSmartSessions } from './smartSessions/smartSessions.ts'

/** Creates the services of the chain API that do not read from chains. Their modules are only loaded if they are configured. */
export async function offchainServicesFromConfig({
  config,
  connection,
  chain,
  clock,
  now,
}: {
  config: Pick<Config, 'names' | 'onramp'>
  connection: Connection
  chain: RpcProxy
  /** A monotonic clock for lifetimes, in milliseconds. */
  clock: Clock
  /** Epoch milliseconds. */
  now: () => number
}): Promise<Pick<ChainApi, 'names' | 'onramp' | 'sessions'>> {
  const names =
    config.names &&
    (await import('./names/accountNamesFromConfig.ts')).accountNamesFromConfig({
      config: config.names,
      connection,
      chain,
      now,
    })
  return { names, onramp: onrampOf(config, { clock, now }), sessions: createSmartSessions() }
}

/** Creates the configured onramp, which is loaded with its first request. */
function onrampOf(
  { onramp: config }: Pick<Config, 'onramp'>,
  { clock, now }: { clock: Clock; now: () => number },
): ChainApi['onramp'] {
  if (!config) return undefined
  return lazyService(
    async () => (await import('./onramp/onrampFromConfig.ts')).onrampFromConfig({ config, fetch, clock, now }),
    ['options', 'quote', 'url', 'purchases'],
  )
}
