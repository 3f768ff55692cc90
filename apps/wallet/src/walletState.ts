import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { RelayState } from '@latchkey/walletconnect'
import type { Connection } from './connections.ts'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'
import type { PairingState } from './pairing.ts'
import type { PendingRequest } from './requestQueue.ts'

/** A short message that reports the result of an action. */
export interface Toast {
  readonly id: number
  readonly kind: 'success' | 'error'
  readonly text: string
}

/** The state that the user interface renders. */
export interface WalletState {
  readonly relay: RelayState
  /** The reason why the relay rejected this wallet. */
  readonly relayError?: LatchkeyError | undefined
  readonly accounts: readonly Account[]
  readonly account: Account
  readonly networks: readonly Network[]
  readonly pairing: PairingState
  /** The requests that are waiting for the user's decision. The first one is shown. */
  readonly pendingRequests: readonly PendingRequest[]
  readonly connections: readonly Connection[]
  readonly toast?: Toast | undefined
}

/** A store that contains a wallet's state and notifies its listeners. */
export interface WalletStore {
  get(): WalletState
  set(part: Partial<WalletState>): void
  toast(kind: Toast['kind'], text: string): void
  subscribe(listener: () => void): () => void
  /** Stops the store. Further changes are ignored. */
  stop(): void
}

/** Creates a wallet store without pending requests or connections. */
export function createWalletStore(
  initial: Pick<WalletState, 'relay' | 'accounts' | 'account' | 'networks'>,
): WalletStore {
  const listeners = new Set<() => void>()
  let state: WalletState = { ...initial, pairing: { at: 'none' }, pendingRequests: [], connections: [] }
  let toastId = 0
  let isStopped = false

  const set = (part: Partial<WalletState>): void => {
    if (isStopped) return
    state = { ...state, ...part }
    for (const listener of [...listeners]) listener()
  }

  return {
    get: () => state,
    set,
    toast: (kind, text) => set({ toast: { id: (toastId += 1), kind, text } }),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop() {
      isStopped = true
    },
  }
}
