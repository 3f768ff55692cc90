import type { Adapter, Connector, MultichainConnector, PairingUri } from '@latchkey/core/adapter'
import type { KeyValueStorage, Socket } from '@latchkey/walletconnect'
import { lazyClient } from '../shared/lazyClient.ts'
import type { NamespaceOverrides } from './namespaces.ts'

/** What the host says about WalletConnect. */
export interface WalletConnectOptions extends NamespaceOverrides {
  /**
   * The relay, or several addresses of one relay network. Wallets that people carry listen on the public relay only; a relay of
   * your own reaches wallets that are configured for it. [the public relay, which asks for `projectId`]
   */
  readonly relay?: string | readonly [string, ...string[]]
  /** The id that the operator of the relay gave you. */
  readonly projectId?: string
  /**
   * The origin of a verify service (the server of this project is one), which tells wallets that know it that it is your page that
   * asks. Its frame is put into the page for each question: name the origin in your `frame-src`. While it does not answer, a question
   * leaves 5 s later. [none]
   */
  readonly verify?: string
  /** Hears of each pairing, and of its end (`undefined`): for a host that draws the QR code itself. */
  readonly onOffer?: (offer: PairingUri | undefined) => void
  /** [IndexedDB] For tests and other platforms. */
  readonly records?: KeyValueStorage
  /** [`WebSocket`] For tests and other platforms. */
  readonly connect?: (url: string) => Socket
}

/** The relay that the wallets in people's pockets listen on. */
const publicRelay = 'wss://relay.walletconnect.org'

/** The id under which WalletConnect is a connector. */
const connectorId = 'walletConnect'

/**
 * Wallets on other devices, and apps on this one, over WalletConnect 2.0:
 * `createLatchkey({ adapters: [evm(…)], wallets: [walletConnect({ projectId })] })`. One pairing serves all namespaces. Nothing is
 * loaded and no relay is asked before somebody connects or comes back.
 */
export function walletConnect(options: WalletConnectOptions = {}): MultichainConnector {
  const relay = options.relay ?? (options.projectId ? publicRelay : undefined)
  // What is not configured is not offered.
  if (!relay) return { id: connectorId, connectorFor: () => undefined }
  const adapters = new Map<string, Adapter>()
  const { attach, opened } = lazyClient((host) =>
    import('./walletConnectClient.ts').then(({ createWalletConnectClient: openWire }) =>
      openWire({ options, relay, host, connectorId, adapters: () => [...adapters.values()] }),
    ),
  )

  return {
    id: connectorId,
    attach,
    pairing: opened,
    connectorFor(adapter) {
      adapters.set(adapter.namespace, adapter)
      const connector: Connector = {
        id: connectorId,
        name: 'WalletConnect',
        type: 'WALLET_CONNECT',
        namespace: adapter.namespace,
        async connect(params) {
          return (await opened()).connect({ connector, adapter, ...params })
        },
      }
      return connector
    },
  }
}
