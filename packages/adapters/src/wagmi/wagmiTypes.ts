import type { Session } from '@latchkey/core/adapter'
import type { ChainId, Namespace } from '@latchkey/protocol/caip'

/** The part of a Latchkey instance that the wagmi connector uses. */
export interface LatchkeyForWagmi {
  /** The reactive state: whether the instance has started, and whether the modal is open. */
  readonly state: {
    get(): { readonly started: boolean; readonly modal: { readonly open: boolean } }
    subscribe(listener: () => void): () => void
  }
  /** Resolves when everything that `start()` loads is available. */
  prepare(): Promise<void>
  /** Returns the status and the active address of the EVM account. */
  account(namespace: 'eip155'): { readonly status: string; readonly address: string | undefined }
  /** Returns the live EVM session, or `undefined`. */
  session(namespace: 'eip155'): Session | undefined
  /** Disconnects the EVM wallet. */
  disconnect(params: { namespace: 'eip155' }): Promise<void>
  /** Switches the wallet to `chain` (CAIP-2). Rejections are passed to wagmi as its own errors. */
  switchNetwork(chain: ChainId): Promise<void>
  /** Calls `listener` on each event of any chain family. Returns a function that unsubscribes. */
  on(
    event: 'connect' | 'disconnect' | 'chain' | 'accounts',
    listener: (value: { readonly namespace: Namespace }) => void,
  ): () => void
  /** The modal, which is opened if wagmi connects while there is no session. */
  readonly modal: { open(params: { view: { view: 'Connect'; data: undefined }; namespace: 'eip155' }): void }
}

/** The part of wagmi's emitter that the connector uses. Identical in v2 and v3. */
export interface WagmiEmitter {
  /** Reports a connection. `chainId` is a number. */
  emit(event: 'connect', data: { accounts: readonly `0x${string}`[]; chainId: number }): void
  /** Reports other accounts or another chain. */
  emit(event: 'change', data: { accounts?: readonly `0x${string}`[]; chainId?: number }): void
  /** Reports that a connection has ended: that with `uid`, or else this connector's own. */
  emit(event: 'disconnect', data?: { uid: string }): void
  /** Returns the number of listeners. wagmi listens for changes only while this connector is connected. */
  listenerCount(event: 'change'): number
}

/** The part of wagmi's storage that the connector uses. Identical in v2 and v3. */
export interface WagmiStorage {
  /** Returns wagmi's stored state, which contains its connections. */
  getItem(key: 'store'): unknown
  /** Stores `value` under `key`. wagmi adds its prefix to the key. */
  setItem(key: string, value: unknown): unknown
  /** Removes the value stored under `key`. */
  removeItem(key: string): unknown
}

/** The part of a wagmi connector that `wagmiWallets` uses. Identical in v2 and v3. */
export interface WagmiConnector {
  /** The connector's ID, also used as the ID of the wallet in Latchkey. */
  readonly id: string
  /** The display name of the wallet. */
  readonly name: string
  /** The kind of connector. Those of announced wallets have `injected` and are left to Latchkey's own discovery. */
  readonly type: string
  /** A `data:` URL of an image, or an https URL. Other values are ignored. */
  readonly icon?: string | undefined
  /** The wallet's reverse domain names (EIP-6963). A wallet that is already listed under one of them is ignored. */
  readonly rdns?: string | readonly string[] | undefined
  /** Notifies wagmi of connections that were made through Latchkey. */
  readonly emitter: WagmiEmitter
  /** Connects the wallet. With `isReconnecting`, the user is not prompted. */
  connect(params?: { chainId?: number; isReconnecting?: boolean }): Promise<{
    readonly accounts: readonly unknown[]
    readonly chainId: number
  }>
  /** Disconnects the wallet. */
  disconnect(): Promise<void>
  /** Resolves to the wallet's EIP-1193 provider. */
  getProvider(): Promise<unknown>
  /** Resolves to whether the wallet can be reconnected without a prompt. */
  isAuthorized(): Promise<boolean>
}

/** The part of a wagmi config that `wagmiWallets` uses. Identical in v2 and v3. */
export interface WagmiConfig {
  /** The configured chains, by their number (EIP-155). */
  readonly chains: readonly { readonly id: number }[]
  /** The connectors. Latchkey's own and those of announced wallets are not listed again. */
  readonly connectors: readonly WagmiConnector[]
  /** Not covered by wagmi's semver guarantees, so every part is optional. */
  readonly _internal?: {
    readonly connectors?: { subscribe?(listener: () => void): () => void }
  }
}
