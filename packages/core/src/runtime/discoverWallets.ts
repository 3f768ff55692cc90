import type { Namespace } from '@latchkey/protocol/caip'
import type { Adapter, Connector, ConnectorContext, MultichainConnector } from '../adapter.ts'
import type { Connections } from '../connections/connections.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { announceWallets } from '../login/announceEmbeddedWallet.ts'
import { route } from '../modal/views.ts'

/** Discovers the page's wallets and announces the embedded wallet to other kits. Returns a function that stops both. */
export function discoverWallets(dependencies: {
  readonly adapters: readonly Adapter[]
  readonly multichainConnectors: readonly MultichainConnector[]
  readonly context: ConnectorContext
  readonly session: Connections['session']
  readonly state: ReadableStore<State>
  readonly modal: Pick<Latchkey['modal'], 'open'>
  readonly log: Log
  has(namespace: Namespace, connectorId: string): boolean
  disconnect(connectorId: string): Promise<void>
  found(connector: Connector): void
}): () => void {
  const { adapters, multichainConnectors, context, modal, log, found } = dependencies
  const discovery = new AbortController()
  let announced: ReturnType<typeof announceWallets> | undefined

  const detaches = multichainConnectors.map((connector) => connector.attach?.(context))
  for (const adapter of adapters) {
    // An error in one family must not affect the others.
    try {
      for (const multichain of multichainConnectors) {
        const connector = multichain.connectorFor(adapter)
        if (connector) found(connector)
      }
      adapter.discover(found, discovery.signal, (provider) => announced?.isOwn(provider) ?? false)
    } catch (error) {
      log.error(`Unable to discover ${adapter.namespace} wallets`, error)
    }
  }
  if (multichainConnectors.some(({ announcer }) => announcer)) {
    import('../login/announceEmbeddedWallet.ts').then(
      ({ announceWallets }) => {
        if (discovery.signal.aborted) return
        announced = announceWallets({
          ...dependencies,
          network: context.network,
          promptLogin: (namespace) => modal.open({ view: route('Connect', { login: true }), namespace }),
        })
      },
      logLoadFailure(log, 'wallet announcements'),
    )
  }

  return () => {
    discovery.abort()
    announced?.stop()
    for (const detach of detaches) detach?.()
  }
}
