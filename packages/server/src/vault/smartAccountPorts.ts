import { createUpstreams } from '../chain/upstreamNodes.ts'
import type { Config, KeysConfig } from '../config.ts'
import type { Metrics } from '../metrics.ts'
import type { Log, RpcProxy } from '../serverPorts.ts'
import type { SmartAccountPorts } from './vaultPorts.ts'

/** Creates the ports for the configured bundlers and paymasters. Returns `undefined` if no bundler is configured. */
export function smartAccountPorts({
  config,
  fetch,
  metrics,
  log,
}: {
  config: Config & { keys: KeysConfig }
  fetch: typeof globalThis.fetch
  metrics: Metrics
  log: Log
}): SmartAccountPorts | undefined {
  const { bundlerUrls, bundlerTimeoutMs, paymasterUrls, ...policy } = config.keys.smart
  if (bundlerUrls.size === 0) return undefined
  const limits = { timeoutMs: bundlerTimeoutMs, responseBytes: config.rpcResponseBytes }
  const relay = (upstreams: ReadonlyMap<string, readonly string[]>): RpcProxy => ({
    supported: () => [...upstreams.keys()],
    send: createUpstreams({ upstreams, limits, fetch, metrics, log, clock: () => performance.now() }),
  })
  return { ...policy, bundlers: relay(bundlerUrls), sponsors: relay(paymasterUrls) }
}
