import type { Clock, Log, RpcProxy } from '../serverDependencies.ts'
import type { AccountNames, ChainApi, OnrampProvider } from './chainApi.ts'
import type { ChainConfig } from './chainConfig.ts'
import { lazyPart } from './lazyPart.ts'
import { type CallNode, createNodeBatch } from './nodeBatch.ts'
import { createNodeClient, type NodeClient } from './nodeClient.ts'

/** What the parts of the chain API are given. */
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
 * chains, there is none.
 */
export function chainApiFromConfig({
  chains,
  send,
  names,
  onramp,
  log,
  clock,
  now,
}: {
  chains: ReadonlyMap<string, ChainConfig>
  send: RpcProxy['send']
  names: AccountNames | undefined
  /** Has the purchases of accounts, which are a part of their history. */
  onramp?: Pick<OnrampProvider, 'purchases'> | undefined
  log: Log
  clock: Clock
  now: Clock
}): ChainApi {
  if (chains.size === 0) return {}
  const nodes = createNodeClient({ chains, send, clock })
  const dependencies: ChainApiDependencies = { nodes, callNode: createNodeBatch(send), names, log, clock, now }
  return {
    history: lazyPart(
      async () =>
        (await import('./history/historyReader.ts')).createHistoryReader({ ...dependencies, chains, onramp, fetch }),
      ['history'],
    ),
    convert: lazyPart(
      async () => (await import('./convert/convertProvider.ts')).createConvertProvider(dependencies),
      ['tokens', 'quotes', 'allowance', 'gasPrice', 'buildApprove', 'buildTransaction'],
    ),
  }
}
