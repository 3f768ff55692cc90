import type { Adapter, Connector, ConnectorContext, Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import type { ProviderProxy } from '../evm/providerProxy.ts'
import type { Requests } from './walletRequests.ts'

/** The logged-in user's account in one chain family. */
export interface EmbeddedAccount {
  readonly address: string
  readonly chain: ChainId
  readonly type: string | undefined
}

/** The parts of the embedded wallet that a chain family's session uses. */
export interface SessionContext {
  readonly host: ConnectorContext
  readonly requests: Requests
  holder(): EmbeddedAccount
  /** Calls `listener` when the address, chain or type changes, and with `undefined` after logout. */
  onHolder(listener: (now: EmbeddedAccount | undefined) => void): () => void
  /** Sends SWITCH_NETWORK, then GET_USER because a smart account can have a different address on the new network. */
  moveTo(network: Network): Promise<void>
  /** Logs out of all chain families. Concurrent calls share one logout. */
  signOut(): Promise<void>
}

/** Parameters for opening a chain family's session. */
export interface FamilySessionInput {
  readonly inside: SessionContext
  readonly connector: Connector
  readonly adapter: Adapter
  readonly signal: AbortSignal
  /** State that persists between logins. `stop` releases the previous session. */
  readonly stored: { facade?: ProviderProxy; stop?: () => void }
}
