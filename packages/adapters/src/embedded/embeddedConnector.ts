import type { Connector, MultichainConnector, WalletAnnouncer } from '@latchkey/core/adapter'
import { early, lazyClient } from '../shared/lazyClient.ts'
import type { FrameHost, FrameParameters } from './frameHost.ts'

/** Options of `embedded`. */
export interface EmbeddedOptions {
  /** The URL of the key frame: the keys host, or another frame with the same protocol. */
  readonly url: string
  /** [the `projectId` of the instance] */
  readonly projectId?: string
  /** The accessible name of the frame. [Wallet] */
  readonly title?: string
  /** The accessible name of the button that cancels a request. [Cancel the request] */
  readonly closeLabel?: string
  /** The preferred language of the frame, used if the user's browser accepts it. [the page's `lang`] */
  readonly locale?: string
  /**
   * The URL of a paymaster service (ERC-7677) that pays the fees of `wallet_sendCalls` without a paymaster of their own. The
   * keys host must allow it. If it cannot be used, the user pays. [none]
   */
  readonly paymaster?: string
  /**
   * Announces the wallet to other wallet kits on the page by EIP-6963, and with a Solana adapter by Wallet Standard. An object
   * sets the displayed name and icon. [false; by default "Latchkey" and its icon]
   */
  readonly announce?: boolean | Announcement
  /** [20 s] */
  readonly loadTimeoutMs?: number
  /** [30 s] */
  readonly requestTimeoutMs?: number
  /** Mounts the frame, for tests. [an iframe in its own dialog] */
  readonly place?: (parameters: FrameParameters) => FrameHost
}

/** The name and icon that other wallet kits on the page display. */
export interface Announcement {
  /** The name that other kits display. [Latchkey] */
  readonly name?: string
  /** A base64 `data:` URL of an SVG, PNG, WebP or GIF image. */
  readonly icon?: string
}

/** The connector ID of the embedded wallet. */
const connectorId = 'ID_AUTH'

/**
 * Creates the embedded wallet, which requires no installation. Users log in by email, social account or Farcaster, and sign in the frame of
 * the keys host. Neither the wallet's code nor the frame is loaded before a user logs in or a login is restored.
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
          // Users who have never logged in do not load the frame (R4.2).
          if (params.silent && !host()?.records.emailUsed.get())
            throw early('wallet/not-authorized', 'Logged out.', { connectorId })
          return (await opened()).connect({ connector, adapter, ...params })
        },
      }
      return connector
    },
    wallet: async () => (await opened()).wallet,
    // Created once per page, so that stopping and restarting announces the same wallet.
    announcer: options.announce
      ? () => (announcer ??= import('./announceWallet.ts').then((part) => part.createAnnouncer(options)))
      : undefined,
  }
}
