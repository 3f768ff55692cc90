import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import type { Store } from '../lib/store.ts'
import type { DraftDependencies } from '../storage/draftStorage.ts'
import type { OnrampState } from './onrampTypes.ts'

/** The dependencies of the onramp. */
export interface OnrampDependencies {
  readonly api: ChainApiClient
  /** Returns the active account and its network. */
  now(): { readonly account: AccountId; readonly network: { readonly caipNetworkId: ChainId } } | undefined
  /** The option `features.onramp`. */
  readonly providers: unknown
  isSmartAccount(): boolean
  /** Called when a provider reports that the purchased tokens have arrived. */
  arrived(): void
  readonly drafts: DraftDependencies
  /** Opens a window, like `window.open`. */
  open(url: string, target: string, features: string): Window | null
  track(event: AnalyticsEvent): void
  readonly clock: Clock
}

/** The dependencies and the state, which the parts of the onramp share. */
export interface OnrampContext extends Omit<OnrampDependencies, 'drafts'> {
  readonly state: Store<OnrampState>
  /** Aborts when the onramp is stopped. */
  readonly stopped: AbortSignal
  /** Changes the state. */
  patch(change: Partial<OnrampState>): void
  /** Stores the user's input and the purchase in progress. */
  save(): void
}

/** Whether the account and chain of the state are the active ones. */
export function isCurrent({ now, state }: OnrampContext): boolean {
  const subject = now()
  const { account, chain } = state.get()
  return subject !== undefined && subject.account === account && subject.network.caipNetworkId === chain
}
