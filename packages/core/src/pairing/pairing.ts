import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import type { Wallet } from '@latchkey/protocol/http/contract'
import type { PairingUri, Session } from '../adapter.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { Target } from './deepLink.ts'

/** How a visitor reaches a wallet that is not in this page. */
export type ConnectionMethod = 'qrcode' | 'mobile' | 'desktop' | 'web'

/** How it stands with the pairing. */
export interface PairingState {
  /** `entering`: a wallet has said yes, and the account is being read. */
  readonly status: 'idle' | 'preparing' | 'offered' | 'entering' | 'failed'
  /** What to show or open; a secret. Gone as soon as it is of no use. */
  readonly offer: PairingUri | undefined
  readonly error: LatchkeyError | undefined
}

/** A link that opens a wallet. */
export interface OpenableLink {
  readonly url: string
  readonly target: Target
}

/**
 * One pairing, which several views may show one after the other. It lasts while the modal is open, and is renewed while somebody looks
 * at it. What goes wrong is in `state`.
 */
export interface Pairing {
  readonly state: ReadableStore<PairingState>
  /** Whether an app can be opened from here: not from within another app's own window. */
  readonly canLeave: boolean
  /**
   * Somebody looks at it: offers a pairing unless a good one is there already or the host drives it itself. Answers how to look away.
   * `wallet` and `by` say what they are about to use; they are remembered once it has worked.
   */
  look(params: {
    readonly wallet?: Wallet | undefined
    readonly by: ConnectionMethod
    readonly authenticating?: string
  }): () => void
  /** A new one: at most one a second. */
  renew(): void
  /** The link that opens `wallet` with the offer; `undefined` until there is an offer, or where it has no such link. */
  link(wallet: Wallet, by: Exclude<ConnectionMethod, 'qrcode'>): OpenableLink | undefined
  /** Opens a link by itself; a page without focus does not. Answers whether it did. */
  open(link: OpenableLink): boolean
  /** Pairs and connects, for a host that draws the offer itself or has a view draw it. */
  connect(params: {
    readonly namespace?: Namespace | undefined
    readonly chain?: ChainId | undefined
    readonly signal?: AbortSignal | undefined
  }): Promise<Session>
}
