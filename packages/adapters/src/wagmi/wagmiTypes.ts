import type { Session } from '@latchkey/core/adapter'
import type { ChainId, Namespace } from '@latchkey/protocol/caip'

/** The part of a Latchkey instance that the wagmi connector uses. */
export interface LatchkeyForWagmi {
  readonly state: {
    get(): { readonly started: boolean; readonly modal: { readonly open: boolean } }
    subscribe(listener: () => void): () => void
  }
  prepare(): Promise<void>
  account(namespace: 'eip155'): { readonly status: string; readonly address: string | undefined }
  session(namespace: 'eip155'): Session | undefined
  disconnect(params: { namespace: 'eip155' }): Promise<void>
  switchNetwork(chain: ChainId): Promise<void>
  on(
    event: 'connect' | 'disconnect' | 'chain' | 'accounts',
    listener: (value: { readonly namespace: Namespace }) => void,
  ): () => void
  readonly modal: { open(params: { view: { view: 'Connect'; data: undefined }; namespace: 'eip155' }): void }
}

/** The part of wagmi's emitter that is used. The same in v2 and v3. */
export interface WagmiEmitter {
  emit(event: 'connect', data: { accounts: readonly `0x${string}`[]; chainId: number }): void
  emit(event: 'change', data: { accounts?: readonly `0x${string}`[]; chainId?: number }): void
  emit(event: 'disconnect', data?: { uid: string }): void
  listenerCount(event: 'change'): number
}

/** The part of wagmi's storage that is used. The same in v2 and v3. */
export interface WagmiStorage {
  getItem(key: 'store'): unknown
  setItem(key: string, value: unknown): unknown
  removeItem(key: string): unknown
}

/** The part of a wagmi connector that is used. The same in v2 and v3. */
export interface WagmiConnector {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly icon?: string | undefined
  readonly rdns?: string | readonly string[] | undefined
  readonly emitter: WagmiEmitter
  connect(params?: { chainId?: number; isReconnecting?: boolean }): Promise<{
    readonly accounts: readonly unknown[]
    readonly chainId: number
  }>
  disconnect(): Promise<void>
  getProvider(): Promise<unknown>
  isAuthorized(): Promise<boolean>
}

/** The part of a wagmi config that is used. The same in v2 and v3. */
export interface WagmiConfig {
  readonly chains: readonly { readonly id: number }[]
  readonly connectors: readonly WagmiConnector[]
  /** Not covered by wagmi's semver, so each part is optional. */
  readonly _internal?: {
    readonly connectors?: { subscribe?(listener: () => void): () => void }
  }
}
