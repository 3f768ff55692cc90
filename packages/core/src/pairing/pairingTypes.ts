import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { PairingUri, Session } from '../adapter.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { Target } from './deepLink.ts'

/** The way a user connects a remote wallet. */
export type ConnectionMethod = 'qrcode' | 'mobile' | 'desktop' | 'web'

/** The state of the pairing. */
export interface PairingState {
  /** The stage of the pairing. `entering` means that the wallet has approved and the account is being loaded. */
  readonly status: 'idle' | 'preparing' | 'offered' | 'entering' | 'failed'
  /** The offer to display or open. It contains a secret, so it is removed as soon as it is no longer needed. */
  readonly offer: PairingUri | undefined
  /** Why the pairing failed. Only set if `status` is `failed`. */
  readonly error: LatchkeyError | undefined
}

/** A link that opens a wallet. */
export interface OpenableLink {
  /** The link to open. It contains the pairing's secret, so do not log it. */
  readonly url: string
  /** The target for `window.open`: `_blank`, unless the link opens an app on this phone or tablet. */
  readonly target: Target
}

/**
 * The current pairing, which several views can show in turn. The pairing lasts until the modal closes, and is renewed while a
 * view shows it. Errors are reported in `state`.
 */
export interface Pairing {
  /** The progress of the current pairing. */
  readonly state: ReadableStore<PairingState>
  /** Whether this page can open an app. `false` in an in-app browser. */
  readonly canLeave: boolean
  /**
   * Starts a pairing for a view that opens, unless a valid one exists or the host controls WalletConnect itself. Returns a
   * function to call when the view closes. `wallet` and `by` specify the wallet and method that the user is about to use. They
   * are stored once the pairing succeeds.
   */
  look(params: {
    readonly wallet?: Wallet | undefined
    readonly by: ConnectionMethod
    readonly authenticating?: string
  }): () => void
  /** Starts a new pairing, at most once per second. */
  renew(): void
  /**
   * Returns the link that opens `wallet` with the offer, or `undefined` if there is no offer yet or no link for this method.
   */
  link(wallet: Wallet, by: Exclude<ConnectionMethod, 'qrcode'>): OpenableLink | undefined
  /** Opens a link without a click, unless the page is not focused. Returns whether the link was opened. */
  open(link: OpenableLink): boolean
  /**
   * Pairs with a wallet and connects it. Use this method if the host displays the offer itself. If a view already shows an offer,
   * that offer is used.
   */
  connect(params: {
    readonly namespace?: Namespace | undefined
    readonly chain?: ChainId | undefined
    readonly signal?: AbortSignal | undefined
  }): Promise<Session>
}
