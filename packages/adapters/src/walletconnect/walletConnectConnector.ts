import type { Adapter, Connector, MultichainConnector } from '@latchkey/core/adapter'
import { lazyClient } from '../shared/lazyClient.ts'
import type { WalletConnectOptions } from './walletConnectOptions.ts'

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
