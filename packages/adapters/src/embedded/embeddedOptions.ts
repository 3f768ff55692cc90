import type { FrameHandle, FrameParameters } from './frameHandle.ts'

/** Options for `embedded()`. */
export interface EmbeddedOptions {
  /** The URL of your keys origin, or of a different frame that uses the same protocol. */
  readonly url: string
  /** The project ID for the frame. Defaults to the instance's `projectId`. */
  readonly projectId?: string
  /** The accessible name of the frame. Defaults to `'Wallet'`. */
  readonly title?: string
  /** The accessible name of the button that cancels a request. Defaults to `'Cancel the request'`. */
  readonly closeLabel?: string
  /** The preferred language of the frame, used if it is one of the user's browser languages. Defaults to the page's `lang`. */
  readonly locale?: string
  /**
   * The URL of a paymaster service (ERC-7677) that pays the fees for `wallet_sendCalls` requests that specify no paymaster.
   * The keys origin's server must allow the service. If the service cannot be used, the user pays the fees.
   */
  readonly paymaster?: string
  /**
   * Whether to announce the wallet to other wallet kits on the page through EIP-6963 and, with a Solana adapter, through Wallet
   * Standard. Pass an object to set the name and icon. Defaults to `false`.
   */
  readonly announce?: boolean | Announcement
  /** The timeout for loading the frame, in milliseconds. Defaults to 20 seconds. */
  readonly loadTimeoutMs?: number
  /** The timeout for a request to the frame, in milliseconds. Defaults to 30 seconds. */
  readonly requestTimeoutMs?: number
  /** A function that mounts the frame, for use in tests. By default, the frame is an iframe in its own dialog. */
  readonly place?: (parameters: FrameParameters) => FrameHandle
}

/** The name and icon that other wallet kits on the page show. */
export interface Announcement {
  /** The name that other kits show. Defaults to `'Latchkey'`. */
  readonly name?: string
  /** The icon that other kits show, as a base64 `data:` URL of an SVG, PNG, WebP or GIF image. Defaults to the Latchkey icon. */
  readonly icon?: string
}
