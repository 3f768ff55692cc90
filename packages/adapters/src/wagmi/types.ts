import type { Session } from '@latchkey/core/adapter'
import type { ChainId, Namespace } from '@latchkey/protocol/caip'

/** As much of a Latchkey instance as the wagmi connector needs: what `createLatchkey()` gives has it. */
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

/** As much of wagmi's emitter as is used; the same in v2 and v3. */
export interface WagmiEmitter {
  emit(event: 'connect', data: { accounts: readonly `0x${string}`[]; chainId: number }): void
  emit(event: 'change', data: { accounts?: readonly `0x${string}`[]; chainId?: number }): void
  emit(event: 'disconnect', data?: { uid: string }): void
  listenerCount(event: 'change'): number
}

/** As much of wagmi's storage as is used; the same in v2 and v3. */
export interface WagmiStorage {
  getItem(key: 'store'): unknown
  setItem(key: string, value: unknown): unknown
  removeItem(key: string): unknown
}

/** As much of a wagmi connector as is used; the same in v2 and v3. */
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

/** As much of a wagmi config as is used; the same in v2 and v3. */
export interface WagmiConfig {
  readonly chains: readonly { readonly id: number }[]
  readonly connectors: readonly WagmiConnector[]
  /** Not under wagmi's version promise, so each part is used only where it is. */
  readonly _internal?: {
    readonly connectors?: { subscribe?(listener: () => void): () => void }
  }
}
