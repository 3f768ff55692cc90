import type { Adapter, Connector, MultichainConnector } from '@latchkey/core/adapter'
import { lazyClient } from '../shared/lazyClient.ts'
import type { NamespaceOverrides } from './namespaces.ts'

/** Options for `walletConnect`. */
export interface WalletConnectOptions extends NamespaceOverrides {
  /**
   * The relay's address, or several addresses for the same relay network. Published wallets only use the public relay. Your own
   * relay reaches only wallets that are configured to use it. Default: the public relay, which requires `projectId`.
   */
  readonly relay?: string | readonly [string, ...string[]]
  /** The project ID from the relay's operator. */
  readonly projectId?: string
  /**
   * The origin of a verify service, which attests your page's origin to wallets. This project's server includes one. The
   * service's iframe is added to the page for each request, so your `frame-src` policy must allow it. If the service does not
   * respond, the request is delayed by 5 s. Default: none.
   */
  readonly verify?: string
  /** Called with each pairing that is offered, and with `undefined` when it ends. Use it to render the QR code yourself. */
  readonly onOffer?: (offer: PairingUri | undefined) => void
  /** The storage, which tests and other platforms can replace. Default: IndexedDB. */
  readonly records?: KeyValueStorage
  /** Opens a socket. Tests and other platforms can replace this function. Default: creates a `WebSocket`. */
  readonly connect?: (url: string) => Socket
}

/** The relay that published wallets use. */
const publicRelay = 'wss://relay.walletconnect.org'

/** The ID of the WalletConnect connectors. */
const connectorId = 'walletConnect'

/**
 * Creates the WalletConnect 2.0 connector, for wallets on other devices and for wallet apps on this device. One pairing connects
 * all namespaces. The client is not loaded and no relay is contacted until a user connects or a session is restored.
 *
 * @example
 * createLatchkey({ adapters: [evm({ chains: [mainnet] })], wallets: [walletConnect({ projectId: 'yours' })] })
 */
export function walletConnect(options: WalletConnectOptions = {}): MultichainConnector {
  const relay = options.relay ?? (options.projectId ? publicRelay : undefined)
  // WalletConnect is not listed if there is no relay.
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
