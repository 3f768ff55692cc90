import { loadOnce } from '@latchkey/protocol/loadOnce'
import type { Config } from '../config/readConfig.ts'
import type { PublicFetch } from '../http/publicFetch.ts'
import type { Clock, Log, RpcProxy } from '../serverDependencies.ts'
import type { AccountNames, ChainApi, Onramp } from './chainApiTypes.ts'
import type { ChainConfig } from './chainConfig.ts'
import { lazyService } from './lazyService.ts'
import { type CallNode, createNodeBatch } from './nodeBatch.ts'
import { createNodeClient, type NodeClient } from './nodeClient.ts'

/** The dependencies of the chain API's services. */
export interface ChainApiDependencies {
  readonly nodes: NodeClient
  /** Sends calls to nodes in batches. */
  readonly callNode: CallNode
  /** The server's own account names. `undefined` if they are not configured. */
  readonly names: AccountNames | undefined
  readonly log: Log
  /** A monotonic clock for lifetimes, in milliseconds. */
  readonly clock: Clock
  /** The time in milliseconds since the Unix epoch. */
  readonly now: Clock
}

/**
 * Assembles the chain API. Each part is loaded with its first request, because viem and the ABIs use several megabytes. Without
 * chains, only the server's own names can be read.
 */
export function chainApiFromConfig({
  config: { pricesUrl, ipfsGateway },
  chains,
  send,
  names,
  onramp,
  publicFetch,
  log,
  clock,
  now,
  sourceTimeoutMs,
}: {
  config: Pick<Config, 'pricesUrl' | 'ipfsGateway'>
  chains: ReadonlyMap<string, ChainConfig>
  send: RpcProxy['send']
  names: AccountNames | undefined
  /** Provides the purchases of accounts, which are part of their history. */
  onramp?: Pick<Onramp, 'purchases'> | undefined
  /** Contacts the gateways of names. Defaults to one that only reaches public hosts. */
  publicFetch?: PublicFetch | undefined
  log: Log
  clock: Clock
  now: Clock
  /** The time limit for a response of the price source, in milliseconds. Default: five seconds. */
  sourceTimeoutMs?: number | undefined
}): ChainApi {
  const nodes = createNodeClient({ chains, send, clock })
  const dependencies: ChainApiDependencies = { nodes, callNode: createNodeBatch(send), names, log, clock, now }
  const prices = loadOnce(async () =>
    (await import('./prices/tokenPrices.ts')).createTokenPrices({ ...dependencies, pricesUrl, fetch, sourceTimeoutMs }),
  )
  const identity = {
    identity: lazyService(async () => {
      const [{ createIdentityReader }, { createPublicFetch }] = await Promise.all([
        import('./identity/identityReader.ts'),
        import('../http/publicFetch.ts'),
      ])
      return createIdentityReader({ ...dependencies, publicFetch: publicFetch ?? createPublicFetch(), ipfsGateway })
    }, ['identity']),
  }
  if (chains.size === 0) return names ? identity : {}
  return {
    ...identity,
    balances: lazyService(
      async () =>
        (await import('./balances/balanceReader.ts')).createBalanceReader({ ...dependencies, prices: await prices() }),
      ['balances'],
    ),
    prices: lazyService(
      async () =>
        (await import('./prices/priceReader.ts')).createPriceReader({ ...dependencies, prices: await prices() }),
      ['prices'],
    ),
    history: lazyService(
      async () =>
        (await import('./history/historyReader.ts')).createHistoryReader({ ...dependencies, chains, onramp, fetch }),
      ['history'],
    ),
    swapChains: [...chains].flatMap(([id, { exchange }]) => (id.startsWith('eip155:') && exchange ? [id] : [])),
    convert: lazyService(
      async () => (await import('./convert/convertProvider.ts')).createConvertProvider(dependencies),
      ['tokens', 'quotes', 'allowance', 'gasPrice', 'buildApprove', 'buildTransaction'],
    ),
  }
}
