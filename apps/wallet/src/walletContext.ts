import type { Clock } from '@latchkey/protocol/clock'
import type { Metadata, ProposalEvent, Responder } from '@latchkey/walletconnect'
import type { Connections } from './connections.ts'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'
import type { Pairing } from './pairing.ts'
import type { PendingRequest, RequestQueue } from './requestQueue.ts'
import type { WalletStore } from './walletState.ts'

/** The context shared by the handlers of connection, sign-in and method requests. */
export interface WalletContext {
  readonly responder: Responder
  readonly accounts: readonly Account[]
  readonly networks: readonly Network[]
  readonly clock: Clock
  readonly store: WalletStore
  readonly queue: RequestQueue
  readonly pairing: Pairing
  readonly connections: Connections
  refreshConnections(): void
  /** Adds a request to the end or the front of the queue, or moves it there. */
  show(request: PendingRequest, options?: { readonly front?: boolean }): void
  /** Removes a request from the queue and from storage. */
  remove(key: string): void
  /** Asks the verify service about the requesting page, and adds the verdict to the request. */
  verifyOrigin(key: string, attested: ProposalEvent['attested'], page: Metadata): Promise<void>
}

/** The lifetime of a request that does not specify an expiry, in milliseconds. */
export const requestTimeoutMs = 300_000
