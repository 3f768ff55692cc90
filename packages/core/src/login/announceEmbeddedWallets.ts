import { addressOf, type ChainId, type Namespace } from '@latchkey/protocol/caip'
import type { AnnouncedWallet, ConnectorContext, MultichainConnector, Session, WalletAnnouncer } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { ReadableStore } from '../lib/store.ts'

interface AnnouncementDependencies {
  readonly multichainConnectors: readonly MultichainConnector[]
  readonly state: ReadableStore<State>
  readonly log: Log
  readonly network: ConnectorContext['network']
  /** Whether the connector is available in `namespace`. */
  has(namespace: Namespace, connectorId: string): boolean
  session(namespace: Namespace, connectorId: string): Session | undefined
  disconnect(connectorId: string): Promise<void>
  /** Opens the modal so that the user can log in and use the wallet in `namespace`. */
  promptLogin(namespace: Namespace): void
}

/** Announces embedded wallets to other kits on the page. Skips wallets that have no announcer. */
export function announceEmbeddedWallets(dependencies: AnnouncementDependencies): {
  isOwn: WalletAnnouncer['isOwn']
  stop(): void
} {
  const { state, log } = dependencies
  const started: { readonly announcer: WalletAnnouncer; stop(): void }[] = []
  let stopped = false

  const announce = (announcer: WalletAnnouncer, id: string): void => {
    const connect = connectOf(dependencies, id)
    // Register the entry first, because our own discovery receives the announcement synchronously.
    const entry = { announcer, stop: () => {} }
    started.push(entry)
    entry.stop = announcer.start({
      chains: (namespace) => (dependencies.has(namespace, id) ? chainsOf(dependencies, namespace) : []),
      session(namespace) {
        const session = dependencies.session(namespace, id)
        if (!session) return undefined
        const { accounts, chain, provider } = session
        return { addresses: accounts.map(addressOf), chain, provider }
      },
      onChange: state.subscribe,
      connect,
      leave: () => dependencies.disconnect(id).then(() => null),
    })
  }
  for (const { id, announcer } of dependencies.multichainConnectors) {
    announcer?.().then(
      (loaded) => {
        if (!stopped) announce(loaded, id)
      },
      (error: unknown) => log.error(`Unable to announce ${id}`, error),
    )
  }

  return {
    isOwn: (provider) => started.some(({ announcer }) => announcer.isOwn(provider)),
    stop() {
      stopped = true
      for (const entry of started) entry.stop()
    },
  }
}

function chainsOf({ state, network }: AnnouncementDependencies, namespace: Namespace): readonly ChainId[] {
  const known = state.get().networks.known.filter(({ chainNamespace }) => chainNamespace === namespace)
  const ids = [network(namespace), ...known].flatMap((item) => (item ? [item.caipNetworkId] : []))
  return [...new Set(ids)]
}

/**
 * Returns a function that connects the wallet. It first waits for a pending restore or, unless the call is silent, a pending
 * connection. If there is still no session, it opens the modal so that the user can log in, and rejects if the user closes the
 * modal. A silent call resolves without opening it. Concurrent calls share one modal, because reopening the modal would discard
 * the user's input.
 */
function connectOf(
  { state, promptLogin, session }: AnnouncementDependencies,
  connectorId: string,
): AnnouncedWallet['connect'] {
  let openPrompts = 0
  return ({ namespace, silent }) =>
    new Promise((resolve, reject) => {
      let step: 'waiting' | 'opening' | 'open' = 'waiting'
      const isBusy = (): boolean => {
        const now = state.get().connections.byNamespace[namespace]
        const isUnderWay = (now?.status === 'connecting' && !silent) || (now?.status === 'reconnecting' && !now.error)
        return isUnderWay && now.connectorId === connectorId
      }
      const settle = (respond: () => void): void => {
        stop()
        if (step === 'open') openPrompts--
        respond()
      }
      const update = (): void => {
        if (session(namespace, connectorId)) settle(resolve)
        else if (isBusy() || step === 'opening') return
        else if (silent) settle(resolve)
        else if (step === 'waiting') {
          step = 'opening'
          if (openPrompts === 0) promptLogin(namespace)
          step = 'open'
          openPrompts++
        } else if (!state.get().modal.open) {
          settle(() => reject(Object.assign(new Error('The user closed the login dialog.'), { code: 4001 })))
        }
      }
      const stop = state.subscribe(update)
      update()
    })
}
