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
