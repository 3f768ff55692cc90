import { createUpstreams } from '../chain/upstreams.ts'
import type { Metrics } from '../metrics.ts'
import type { Chain, Log } from '../ports.ts'
import type { KeysSettings, Settings } from '../settings.ts'
import type { SmartPorts } from './ports.ts'

/** The bundlers and paymasters that the settings name; nothing where they name no bundler. */
export function smartPorts({
  settings,
  fetch,
  metrics,
  log,
}: {
  settings: Settings & { keys: KeysSettings }
  fetch: typeof globalThis.fetch
  metrics: Metrics
  log: Log
}): SmartPorts | undefined {
  const { bundlerUrls, bundlerTimeoutMs, paymasterUrls, ...policy } = settings.keys.smart
  if (bundlerUrls.size === 0) return undefined
  const limits = { timeoutMs: bundlerTimeoutMs, responseBytes: settings.rpcResponseBytes }
  const relay = (upstreams: ReadonlyMap<string, readonly string[]>): Chain => ({
    supported: () => [...upstreams.keys()],
    send: createUpstreams({ upstreams, limits, fetch, metrics, log, clock: () => performance.now() }),
  })
  return { ...policy, bundlers: relay(bundlerUrls), sponsors: relay(paymasterUrls) }
}
