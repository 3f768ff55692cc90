import type { Adapter, Connector, ConnectorContext, Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import type { ProviderProxy } from '../evm/providerProxy.ts'
import type { Requests } from './walletRequests.ts'

/** Who is logged in, for one family. */
export interface EmbeddedAccount {
  readonly address: string
  readonly chain: ChainId
  readonly type: string | undefined
}

/** What a family's session may ask of the wallet. */
export interface SessionContext {
  readonly host: ConnectorContext
  readonly requests: Requests
  holder(): EmbeddedAccount
  /** Told when address, chain or type changed, or (`undefined`) when the login ended. */
  onHolder(listener: (now: EmbeddedAccount | undefined) => void): () => void
  /** SWITCH_NETWORK, then GET_USER: a smart account may have another address there. */
  moveTo(network: Network): Promise<void>
  /** Leaves every family; once, whoever asks. */
  signOut(): Promise<void>
}

/** What opening a session of one family takes. */
export interface FamilySessionInput {
  readonly inside: SessionContext
  readonly connector: Connector
  readonly adapter: Adapter
  readonly signal: AbortSignal
  /** What stays from one login to the next; `stop` lets go of the last. */
  readonly kept: { facade?: ProviderProxy; stop?: () => void }
}
