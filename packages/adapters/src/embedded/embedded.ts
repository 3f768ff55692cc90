import type { Adapter, Bridge, Connector } from '@latchkey/core/adapter'
import { attached, early } from '../shared/attached.ts'
import type { FramePlace, FrameWanted } from './place.ts'
import type { EmbeddedWallet } from './wallet.ts'

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
  /** [20 s] */
  readonly loadTimeoutMs?: number
  /** [30 s] */
  readonly requestTimeoutMs?: number
  /** [an iframe in a dialog of its own] For tests. */
  readonly place?: (wanted: FrameWanted) => FramePlace
}

/** The id under which the embedded wallet is a connector. */
const connectorId = 'ID_AUTH'

/**
 * The wallet that needs nothing installed: log in by e-mail, social account or Farcaster, sign in the frame of the keys host.
 * `createLatchkey({ adapters: [evm(…)], wallets: [embedded({ url: 'https://keys.example.com' })] })`. Nothing is loaded and no
 * frame stands in the page before somebody logs in or comes back.
 */
export function embedded(options: EmbeddedOptions): Bridge {
  const { host, attach, opened } = attached((serves) =>
    import('./wallet.ts').then(({ openWallet }) => openWallet({ options, host: serves })),
  )

  return {
    id: connectorId,
    attach,
    connectorFor(adapter) {
      if (adapter.namespace !== 'eip155' && adapter.namespace !== 'solana') return undefined
      return connectorOf(adapter, opened, () => host()?.records.emailUsed.get() === 'true')
    },
    door: async () => (await opened()).door,
  }
}

function connectorOf(adapter: Adapter, opened: () => Promise<EmbeddedWallet>, used: () => boolean): Connector {
  const connector: Connector = {
    id: connectorId,
    name: 'Embedded wallet',
    type: 'AUTH',
    namespace: adapter.namespace,
    async connect(asked) {
      // Whoever never logged in is not asked about, and costs no frame (R4.2).
      if (asked.silent && !used()) throw early('wallet/not-authorized', 'Nobody is logged in.', { connectorId })
      return (await opened()).connect({ connector, adapter, ...asked })
    },
  }
  return connector
}
