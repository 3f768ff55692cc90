import type { Connector, MultichainConnector, WalletAnnouncer } from '@latchkey/core/adapter'
import { early, lazyClient } from '../shared/lazyClient.ts'
import type { EmbeddedOptions } from './embeddedOptions.ts'

/** The connector ID of the embedded wallet. */
const connectorId = 'ID_AUTH'

/**
 * Creates the embedded wallet, which users do not have to install. Users log in by email, with a social account or with
 * Farcaster, and approve requests on the keys origin. The wallet's code and the frame are only loaded when a user logs in or a
 * login is restored.
 *
 * @example
 * createLatchkey({ adapters: [evm({ chains: [mainnet] })], wallets: [embedded({ url: 'https://keys.example.com' })] })
 */
export function embedded(options: EmbeddedOptions): MultichainConnector {
  const { host, attach, opened } = lazyClient((serves) =>
    import('./embeddedWallet.ts').then((part) => part.createEmbeddedWallet({ options, host: serves })),
  )

  let announcer: Promise<WalletAnnouncer> | undefined
  return {
    id: connectorId,
    attach,
    connectorFor(adapter) {
      const { namespace } = adapter
      if (namespace !== 'eip155' && namespace !== 'solana') return
      const connector: Connector = {
        id: connectorId,
        name: 'Embedded wallet',
        type: 'AUTH',
        namespace,
        async connect(params) {
          // Do not load the frame for users who have never logged in (R4.2).
          if (params.silent && !host()?.records.emailUsed.get())
            throw early('wallet/not-authorized', 'Logged out.', { connectorId })
          return (await opened()).connect({ connector, adapter, ...params })
        },
      }
      return connector
    },
    wallet: async () => (await opened()).wallet,
    // Create the announcer once per page, so that a restarted instance announces the same wallet.
    announcer: options.announce
      ? () => (announcer ??= import('./createAnnouncer.ts').then((part) => part.createAnnouncer(options)))
      : undefined,
  }
}
