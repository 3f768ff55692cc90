import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { PopupProvider } from '@latchkey/protocol/frame/messages'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { EmbeddedWalletClient, LoginRecords } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { State, Toast, ViewName } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { ReadableStore, Store } from '../lib/store.ts'
import type { LoginState, LoginStep } from './loginTypes.ts'

/** The part of the `Window` interface that opening popups needs. */
export type PopupWindow = Pick<Window, 'open' | 'addEventListener' | 'removeEventListener'>

/** The outcome of a login step. The navigation in `modal/loginNavigation.ts` opens the view that follows. */
export type LoginOutcome =
  /** The embedded wallet does not support the active network, but it supports `network`. */
  | { readonly type: 'network-unsupported'; readonly network: ChainId }
  /** A code, or a link to approve this device, was emailed to the user. */
  | { readonly type: 'code-sent' | 'device-link-sent'; readonly email: string; readonly isResend: boolean }
  /** The user approved the device, and a code was sent. */
  | { readonly type: 'device-approved'; readonly email: string }
  | { readonly type: 'device-not-approved' }
  /** The code was accepted, but the account could not be connected. A new code is needed to try again. */
  | { readonly type: 'code-used-up' }
  /** A social login has started, or the provider has redirected the user back to the page. */
  | { readonly type: 'social-started' | 'social-resumed'; readonly provider: PopupProvider }
  /** The user must choose a login method again. */
  | { readonly type: 'social-cancelled' | 'farcaster-failed' }
  | { readonly type: 'farcaster-started' }
  /** A code was sent to the current or the new email address. */
  | ({ readonly type: 'primary-code-sent' | 'secondary-code-sent' } & EmailChangeData)
  | ({ readonly type: 'primary-code-accepted' } & EmailChangeData)
  | { readonly type: 'email-changed'; readonly redirectView: ViewName | undefined }

/** The new email address, and the view that follows the change. */
export interface EmailChangeData {
  readonly email: string
  readonly redirectView?: ViewName
}

/** Opens the login views, so that the login flow itself does not depend on views. */
export interface LoginNavigation {
  /** Opens the view that follows `outcome`. */
  follow(outcome: LoginOutcome): void
  /** Returns the data from the email change view that is displayed, if any. */
  emailChange(): Partial<EmailChangeData>
}

/** Dependencies of the login flow. */
export interface LoginDependencies {
  readonly wallet: () => Promise<EmbeddedWalletClient>
  readonly records: LoginRecords
  readonly clock: Clock
  readonly log: Log
  readonly state: ReadableStore<State>
  readonly navigation: LoginNavigation
  /** Returns the namespaces in which the embedded wallet is available on this page. */
  namespaces(): readonly Namespace[]
  /** Connects the embedded wallet in `namespace`, which becomes the active namespace unless `secondary` is `true`. */
  connect(params: { namespace: Namespace; secondary: boolean }): Promise<unknown>
  track(event: AnalyticsEvent): void
  toast(kind: Toast['kind'], text: string): void
  /** The window that opens popups. Default: the page's window. */
  readonly window?: PopupWindow
}

/** Where an error is displayed: below the field (`state.error`), in a toast, in both places, or nowhere. */
export type ErrorPlace = 'field' | 'toast' | 'both' | 'nowhere'

/** The context that all login steps share. */
export interface LoginContext extends LoginDependencies {
  readonly store: Store<LoginState>
  /** Aborts when the instance stops. */
  readonly signal: AbortSignal
  patch(change: Partial<LoginState>): void
  /** Runs `action`. Rejects with a `LatchkeyError` if it fails. `errorPlace` returns where to display it. Default: a toast. */
  run<T>(step: LoginStep, action: () => Promise<T>, errorPlace?: (error: LatchkeyError) => ErrorPlace): Promise<T>
  /** Resolves when the frame is ready. If loading is slow, an error is displayed until then. */
  awaitFrame(wallet: EmbeddedWalletClient, signal: AbortSignal): Promise<void>
  /** Whether the embedded wallet supports the active network. If not, offers the user a network that the wallet supports. */
  supportsNetwork(): boolean
  /** Connects the account after a login, first in the active namespace and then in the other namespaces. */
  connectEmbeddedAccount(): Promise<void>
}
