import type { KeysConfig } from '../../config/keysConfig.ts'
import type { Config } from '../../config/readConfig.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import { createUpstreams } from '../../rpcProxy/upstreamNodes.ts'
import type { Log, RpcProxy } from '../../serverDependencies.ts'
import type { SmartAccountUpstreams } from '../keysDependencies.ts'

/** Creates the upstreams for the configured bundlers and paymasters. Returns `undefined` if no bundler is configured. */
export function createSmartAccountUpstreams({
  config,
  fetch,
  metrics,
  log,
}: {
  config: Config & { keys: KeysConfig }
  fetch: typeof globalThis.fetch
  metrics: Metrics
  log: Log
}): SmartAccountUpstreams | undefined {
  const { bundlerUrls, bundlerTimeoutMs, paymasterUrls, ...policy } = config.keys.smart
  if (bundlerUrls.size === 0) return undefined
  const limits = { timeoutMs: bundlerTimeoutMs, responseBytes: config.rpcResponseBytes }
  const proxy = (upstreams: ReadonlyMap<string, readonly string[]>): RpcProxy => ({
    supported: () => [...upstreams.keys()],
    send: createUpstreams({ upstreams, limits, fetch, metrics, log, clock: () => performance.now() }),
  })
  return { ...policy, bundlers: proxy(bundlerUrls), sponsors: proxy(paymasterUrls) }
}
