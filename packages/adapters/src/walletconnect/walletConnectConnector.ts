import type { Adapter, Connector, MultichainConnector, PairingUri } from '@latchkey/core/adapter'
import type { KeyValueStorage, Socket } from '@latchkey/walletconnect'
import { lazyClient } from '../shared/lazyClient.ts'
import type { NamespaceOverrides } from './namespaces.ts'

/** Options of `walletConnect`. */
export interface WalletConnectOptions extends NamespaceOverrides {
  /**
   * The relay, or multiple addresses of one relay network. Published wallets listen only on the public relay; your own relay
   * reaches wallets that are configured for it. [the public relay, which requires `projectId`]
   */
  readonly relay?: string | readonly [string, ...string[]]
  /** The project ID from the relay's operator. */
  readonly projectId?: string
  /**
   * The origin of a verify service (this project's server includes one), which attests your page's origin to wallets. Its
   * iframe is added to the page for each request, so your `frame-src` must allow it. If it does not respond, the request is
   * delayed by 5 s. [none]
   */
  readonly verify?: string
  /** Called with each pairing, and with `undefined` when it ends, for hosts that render the QR code themselves. */
  readonly onOffer?: (offer: PairingUri | undefined) => void
  /** Storage, for tests and other platforms. [IndexedDB] */
  readonly records?: KeyValueStorage
  /** Opens a socket, for tests and other platforms. [`WebSocket`] */
  readonly connect?: (url: string) => Socket
}

/** The relay that published wallets use. */
const publicRelay = 'wss://relay.walletconnect.org'

/** The connector ID of WalletConnect. */
const connectorId = 'walletConnect'

/**
 * Creates the WalletConnect 2.0 connector, for wallets on other devices and apps on this device. One pairing serves all namespaces. The
 * client is not loaded and no relay is contacted before a user connects or a session is restored.
 *
 * @example
 * createLatchkey({ adapters: [evm({ chains: [mainnet] })], wallets: [walletConnect({ projectId: 'yours' })] })
 */
export function walletConnect(options: WalletConnectOptions = {}): MultichainConnector {
  const relay = options.relay ?? (options.projectId ? publicRelay : undefined)
  // Without a relay, WalletConnect is not offered.
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
