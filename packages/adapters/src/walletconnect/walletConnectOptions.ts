import type { PairingUri } from '@latchkey/core/adapter'
import type { KeyValueStorage, Socket } from '@latchkey/walletconnect'
import type { NamespaceOverrides } from './proposedNamespaces.ts'

/** Options for `walletConnect`. */
export interface WalletConnectOptions extends NamespaceOverrides {
  /**
   * The relay's address, or several addresses for the same relay network. Published wallets use only the public relay. Your own
   * relay reaches only wallets that are configured to use it. Default: the public relay, which requires `projectId`.
   */
  readonly relay?: string | readonly [string, ...string[]]
  /** The project ID from the relay's operator. */
  readonly projectId?: string
  /**
   * The origin of a verify service, which attests your page's origin to wallets. This project's server includes one. The
   * service's iframe is added to the page for each request, so your `frame-src` policy must allow it. If the service does not
   * respond, the request is delayed by 5 s. Default: none.
   */
  readonly verify?: string
  /** Called with each offered pairing, and with `undefined` when the pairing ends. Use it to render the QR code yourself. */
  readonly onOffer?: (offer: PairingUri | undefined) => void
  /** The storage for the connector's data, which tests and other platforms can replace. Default: IndexedDB. */
  readonly records?: KeyValueStorage
  /** Opens a socket. Tests and other platforms can replace this function. Default: creates a `WebSocket`. */
  readonly connect?: (url: string) => Socket
}
