import type { Adapter, Connector, MultichainConnector } from '../adapter.ts'
import type { Log } from '../lib/log.ts'

/** Discovers the page's wallets. Returns a function that stops the discovery. */
export function discoverWallets({
  adapters,
  multichainConnectors,
  log,
  isOwn,
  found,
}: {
  readonly adapters: readonly Adapter[]
  readonly multichainConnectors: readonly MultichainConnector[]
  readonly log: Pick<Log, 'error'>
  /** Whether this instance has announced the provider itself. */
  isOwn(provider: unknown): boolean
  found(connector: Connector): void
}): () => void {
  const discovery = new AbortController()
  for (const adapter of adapters) {
    // An error in one family must not affect the others.
    try {
      for (const multichain of multichainConnectors) {
        const connector = multichain.connectorFor(adapter)
        if (connector) found(connector)
      }
      adapter.discover(found, discovery.signal, isOwn)
    } catch (error) {
      log.error(`Unable to discover ${adapter.namespace} wallets`, error)
    }
  }
  return () => discovery.abort()
}
