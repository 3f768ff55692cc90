import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { Activity } from '../account/pendingTransactionTypes.ts'
import type { Portfolio } from '../account/portfolioTypes.ts'
import type { Network, Session } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../lib/store.ts'
import type { StorageEntry } from '../storage/storageEntry.ts'
import type { SwapApiClient } from './swapApiClient.ts'
import type { SwapDraft } from './swapDraft.ts'
import type { SwapState, SwapToken } from './swapTypes.ts'
import type { SwapExchange } from './trustedExchanges.ts'

/** The account that swaps, with its network and wallet session. */
export interface SwapSubject {
  readonly account: AccountId
  readonly network: Network
  readonly session: Session | undefined
}

/** The visibility of the page. */
export interface PageVisibility {
  isHidden(): boolean
  /** Calls `listener` when the page becomes visible. Returns a function that removes the listener. */
  onVisible(listener: () => void): () => void
}

/** The dependencies of swaps. */
export interface SwapDependencies {
  readonly server: SwapApiClient
  readonly portfolio: Portfolio
  /** Returns the active account. */
  now(): SwapSubject | undefined
  /** Calls `listener` when the active account or network may have changed. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
  readonly page: PageVisibility
  readonly draft: StorageEntry<SwapDraft>
  readonly activity: Activity
  /** The exchanges that the host trusts, by chain. */
  readonly exchanges: Readonly<Record<ChainId, SwapExchange>> | undefined
  /** Reads the status of a transaction. */
  transactionStatus(hash: string, chain: ChainId): Promise<'pending' | 'done' | 'failed'>
  /** Reads the decimal places of a token from the chain. Resolves to `undefined` if they cannot be read. */
  tokenDecimals(address: string): Promise<number | undefined>
  /** Reads the symbol of a token from the chain. Resolves to `undefined` if it cannot be read. */
  tokenSymbol(address: string): Promise<string | undefined>
  /** Reserves a name. Resolves to a function that releases the name, or to `undefined` if a tab has already reserved it. */
  reserve(name: string): Promise<(() => void) | undefined>
  /** Reads the balances of the active account again. */
  refreshBalances(): void
  isSmartAccount(): boolean
  track(event: AnalyticsEvent): void
  readonly clock: Clock
  readonly log: Pick<Log, 'info'>
}

/** The dependencies and the state, which the parts of a swap share. */
export interface SwapContext extends SwapDependencies {
  readonly state: Store<SwapState>
  /** Changes the state. */
  patch(change: Partial<SwapState>): void
}

/** Whether the review's transaction is waiting for the wallet, or for inclusion in a block. */
export function isInProgress({ review }: SwapState): boolean {
  return review?.status === 'confirming' || review?.status === 'pending'
}

/** Returns the network's currency among the tokens. */
export function nativeOf({ tokens }: Pick<SwapState, 'tokens'>): SwapToken | undefined {
  return tokens.value?.all.find(({ id }) => id === 'native')
}

/** Returns the contracts of all tokens in the state, in lower case. */
export function contractsOf({ tokens }: Pick<SwapState, 'tokens'>): ReadonlySet<string> {
  return new Set((tokens.value?.all ?? []).flatMap(({ address }) => address?.toLowerCase() ?? []))
}
