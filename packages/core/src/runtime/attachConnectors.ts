import type { Namespace } from '@latchkey/protocol/caip'
import type { Adapter, ConnectorContext, MultichainConnector } from '../adapter.ts'
import type { Connections } from '../connections/connections.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { announceEmbeddedWallets } from '../login/announceEmbeddedWallets.ts'
import { route } from '../modal/views.ts'

/** The multichain connectors that are attached to the instance. */
export interface AttachedConnectors {
  /** Whether this instance has announced the provider to other kits. */
  isOwn(provider: unknown): boolean
  /** Detaches the connectors, and stops announcing the embedded wallet. */
  stop(): void
}

/** Attaches the multichain connectors to the instance, and announces the embedded wallet to other kits. */
export function attachConnectors(dependencies: {
  readonly adapters: readonly Adapter[]
  readonly multichainConnectors: readonly MultichainConnector[]
  readonly context: ConnectorContext
  readonly session: Connections['session']
  readonly state: ReadableStore<State>
  readonly modal: Pick<Latchkey['modal'], 'open'>
  readonly log: Log
  has(namespace: Namespace, connectorId: string): boolean
  disconnect(connectorId: string): Promise<void>
}): AttachedConnectors {
  const { multichainConnectors, context, modal, log } = dependencies
  let announced: ReturnType<typeof announceEmbeddedWallets> | undefined
  let stopped = false

  const detaches = multichainConnectors.map((connector) => connector.attach?.(context))
  if (multichainConnectors.some(({ announcer }) => announcer)) {
    import('../login/announceEmbeddedWallets.ts').then(
      ({ announceEmbeddedWallets }) => {
        if (stopped) return
        announced = announceEmbeddedWallets({
          ...dependencies,
          network: context.network,
          promptLogin: (namespace) => modal.open({ view: route('Connect', { login: true }), namespace }),
        })
      },
      logLoadFailure(log, 'wallet announcements'),
    )
  }

  return {
    isOwn: (provider) => announced?.isOwn(provider) ?? false,
    stop() {
      stopped = true
      announced?.stop()
      for (const detach of detaches) detach?.()
    },
  }
}
