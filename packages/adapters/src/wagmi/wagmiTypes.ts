import type { Session } from '@latchkey/core/adapter'
import type { ChainId, Namespace } from '@latchkey/protocol/caip'

/** The part of a Latchkey instance that the wagmi connector uses. */
export interface LatchkeyForWagmi {
  /** The reactive state, which contains whether the instance has started and whether the modal is open. */
  readonly state: {
    get(): { readonly started: boolean; readonly modal: { readonly open: boolean } }
    subscribe(listener: () => void): () => void
  }
  /** Resolves once everything that `start()` loads is available. */
  prepare(): Promise<void>
  /** Returns the EVM account's status and active address. */
  account(namespace: 'eip155'): { readonly status: string; readonly address: string | undefined }
  /** Returns the live EVM session, or `undefined`. */
  session(namespace: 'eip155'): Session | undefined
  /** Disconnects the EVM wallet. */
  disconnect(params: { namespace: 'eip155' }): Promise<void>
  /** Switches the wallet to `chain` (CAIP-2). The connector converts rejections to wagmi's own errors. */
  switchNetwork(chain: ChainId): Promise<void>
  /** Calls `listener` for each event in any chain family. Returns a function that removes the listener. */
  on(
    event: 'connect' | 'disconnect' | 'chain' | 'accounts',
    listener: (value: { readonly namespace: Namespace }) => void,
  ): () => void
  /** The modal, which opens if wagmi connects while there is no session. */
  readonly modal: { open(params: { view: { view: 'Connect'; data: undefined }; namespace: 'eip155' }): void }
}

/** The part of wagmi's emitter that the connector uses. Identical in v2 and v3. */
export interface WagmiEmitter {
  /** Reports a connection. `chainId` is a number. */
  emit(event: 'connect', data: { accounts: readonly `0x${string}`[]; chainId: number }): void
  /** Reports that the accounts or the chain changed. */
  emit(event: 'change', data: { accounts?: readonly `0x${string}`[]; chainId?: number }): void
  /** Reports that the connection with `uid` has ended. Default: this connector's own connection. */
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
  /** The connector's ID, which is also the wallet's ID in Latchkey. */
  readonly id: string
  /** The wallet's display name. */
  readonly name: string
  /** The type of connector. Connectors with the type `injected` are skipped, because Latchkey discovers these wallets itself. */
  readonly type: string
  /** The icon, as a `data:` or https URL. Other values are ignored. */
  readonly icon?: string | undefined
  /** The wallet's reverse domain names (EIP-6963). A wallet is ignored if it is already listed under one of these names. */
  readonly rdns?: string | readonly string[] | undefined
  /** Notifies wagmi of connections that were made through Latchkey. */
  readonly emitter: WagmiEmitter
  /** Connects the wallet. The user is not prompted if `isReconnecting` is `true`. */
  connect(params?: { chainId?: number; isReconnecting?: boolean }): Promise<{
    readonly accounts: readonly unknown[]
    readonly chainId: number
  }>
  /** Disconnects the wallet. */
  disconnect(): Promise<void>
  /** Resolves to the wallet's EIP-1193 provider. */
  getProvider(): Promise<unknown>
  /** Resolves to whether the wallet can reconnect without prompting the user. */
  isAuthorized(): Promise<boolean>
}

/** The part of a wagmi config that `wagmiWallets` uses. Identical in v2 and v3. */
export interface WagmiConfig {
  /** The configured chains, with their EIP-155 chain IDs. */
  readonly chains: readonly { readonly id: number }[]
  /** The connectors. Latchkey's own connector and those for announced wallets are skipped. */
  readonly connectors: readonly WagmiConnector[]
  /** wagmi's internal API. wagmi's semver guarantees do not cover it, so every part is optional. */
  readonly _internal?: {
    readonly connectors?: { subscribe?(listener: () => void): () => void }
  }
}
