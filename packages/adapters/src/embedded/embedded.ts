import type { Connector, MultichainConnector, WalletAnnouncer } from '@latchkey/core/adapter'
import { early, lazyClient } from '../shared/lazyClient.ts'
import type { FrameHost, FrameParameters } from './frameHost.ts'

/** What the host says about its embedded wallet. */
export interface EmbeddedOptions {
  /** Where the keys live: the address of the keys host, or of another frame that speaks the same wire. */
  readonly url: string
  /** [the `projectId` of the instance] */
  readonly projectId?: string
  /** What assistive technology calls the frame. [Wallet] */
  readonly title?: string
  /** What the button is called that takes an approval away. [Cancel the request] */
  readonly closeLabel?: string
  /** The language that the frame should speak, where the visitor's browser asks for it too. [the page's `lang`] */
  readonly locale?: string
  /**
   * Who is asked to pay the fees of `wallet_sendCalls` that name nobody: the address of a paymaster service (ERC-7677) that the keys host
   * allows. Where it may not be asked, the visitor pays. [nobody]
   */
  readonly paymaster?: string
  /**
   * Offers the wallet to other kits of the page: by EIP-6963, and with a Solana adapter by Wallet Standard. [false; as an object: what they
   * show, "Latchkey" and its mark]
   */
  readonly announce?: boolean | Announcement
  /** [20 s] */
  readonly loadTimeoutMs?: number
  /** [30 s] */
  readonly requestTimeoutMs?: number
  /** [an iframe in a dialog of its own] For tests. */
  readonly place?: (wanted: FrameParameters) => FrameHost
}

/** What other kits of the page show of the embedded wallet. */
export interface Announcement {
  readonly name?: string
  /** A `data:` URL in base64 of an SVG, PNG, WebP or GIF. */
  readonly icon?: string
}

/** The id under which the embedded wallet is a connector. */
const connectorId = 'ID_AUTH'

/**
 * The wallet that needs nothing installed: log in by e-mail, social account or Farcaster, sign in the frame of the keys host.
 * `createLatchkey({ adapters: [evm(…)], wallets: [embedded({ url: 'https://keys.example.com' })] })`. Nothing is loaded and no
 * frame stands in the page before somebody logs in or comes back.
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
          // Whoever never logged in is not asked about, and costs no frame (R4.2).
          if (params.silent && !host()?.records.emailUsed.get())
            throw early('wallet/not-authorized', 'Logged out.', { connectorId })
          return (await opened()).connect({ connector, adapter, ...params })
        },
      }
      return connector
    },
    wallet: async () => (await opened()).wallet,
    // One for as long as the page lives: stopped and started again, it is still the same wallet.
    announcer: options.announce
      ? () => (announcer ??= import('./announceWallet.ts').then((part) => part.createAnnouncer(options)))
      : undefined,
  }
}
