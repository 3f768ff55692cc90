import type { Clock, Log, RpcProxy } from '../serverDependencies.ts'
import type { AccountNames, ChainApi } from './chainApi.ts'
import type { ChainConfig } from './chainConfig.ts'
import { createNodeClient, type NodeClient } from './nodeClient.ts'

/** What the parts of the chain API are given. */
export interface ChainApiDependencies {
  readonly nodes: NodeClient
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
  log,
  clock,
  now,
}: {
  chains: ReadonlyMap<string, ChainConfig>
  send: RpcProxy['send']
  names: AccountNames | undefined
  log: Log
  clock: Clock
  now: Clock
}): ChainApi {
  if (chains.size === 0) return {}
  const nodes = createNodeClient({ chains, send, clock })
  const dependencies: ChainApiDependencies = { nodes, names, log, clock, now }
  void dependencies
  return {}
}
