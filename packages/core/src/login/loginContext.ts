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

/** The part of the `Window` interface that popups need. */
export type PopupWindow = Pick<Window, 'open' | 'addEventListener' | 'removeEventListener'>

/** The outcome of a login step. `modal/loginNavigation.ts` decides which view follows. */
export type LoginOutcome =
  /** The embedded wallet does not support the active network, but `network`. */
  | { readonly type: 'network-unsupported'; readonly network: ChainId }
  /** The user received a code, or a link to approve this device. */
  | { readonly type: 'code-sent' | 'device-link-sent'; readonly email: string; readonly isResend: boolean }
  /** The device was approved, and the code was sent. */
  | { readonly type: 'device-approved'; readonly email: string }
  | { readonly type: 'device-not-approved' }
  /** The code was accepted, but the account could not be connected. Another attempt needs a new code. */
  | { readonly type: 'code-used-up' }
  /** `social-resumed`: the user has returned from the provider by a redirect of the page. */
  | { readonly type: 'social-started' | 'social-resumed'; readonly provider: PopupProvider }
  /** The user has to choose a login again. */
  | { readonly type: 'social-cancelled' | 'farcaster-failed' }
  | { readonly type: 'farcaster-started' }
  /** A code was sent to the current or to the new address. */
  | ({ readonly type: 'primary-code-sent' | 'secondary-code-sent' } & EmailChangeData)
  | ({ readonly type: 'primary-code-accepted' } & EmailChangeData)
  | { readonly type: 'email-changed'; readonly redirectView: ViewName | undefined }

/** The new address of an email change, and the view that follows it. */
export interface EmailChangeData {
  readonly email: string
  readonly redirectView?: ViewName
}

/** Opens the views of the login. The login itself does not reference any view. */
export interface LoginNavigation {
  /** Opens the view that follows `outcome`. */
  follow(outcome: LoginOutcome): void
  /** Returns the data of the displayed step of an email change. */
  emailChange(): Partial<EmailChangeData>
}

/** The dependencies of the login flow. */
export interface LoginDependencies {
  readonly wallet: () => Promise<EmbeddedWalletClient>
  readonly records: LoginRecords
  readonly clock: Clock
  readonly log: Log
  readonly state: ReadableStore<State>
  readonly navigation: LoginNavigation
  /** Returns the namespaces that the embedded wallet supports here. */
  namespaces(): readonly Namespace[]
  /** Connects `namespace` to the embedded wallet. With `secondary`, it does not become the active namespace. */
  connect(params: { namespace: Namespace; secondary: boolean }): Promise<unknown>
  track(event: AnalyticsEvent): void
  toast(kind: Toast['kind'], text: string): void
  /** [the page's window] Opens the popups. */
  readonly window?: PopupWindow
}

/** Where an error is displayed: in `state.error`, in a toast, in both, or nowhere. */
export type ErrorPlace = 'field' | 'toast' | 'both' | 'nowhere'

/** Shared by the steps of a login. */
export interface LoginContext extends LoginDependencies {
  readonly store: Store<LoginState>
  /** Aborts when the instance stops. */
  readonly signal: AbortSignal
  patch(change: Partial<LoginState>): void
  /** Runs `action` and rejects with a LatchkeyError if it fails. `errorPlace` decides where the error is displayed. [a toast] */
  run<T>(step: LoginStep, action: () => Promise<T>, errorPlace?: (error: LatchkeyError) => ErrorPlace): Promise<T>
  /** Resolves when the frame is ready. If that takes long, the user is notified of it and of the alternatives while waiting continues. */
  frameReady(wallet: EmbeddedWalletClient, signal: AbortSignal): Promise<void>
  /** Whether the embedded wallet supports the active network. If it does not, a network that it supports is offered. */
  supportsNetwork(): boolean
  /** Connects the active namespace after a login, then the other namespaces. */
  connectAccount(): Promise<void>
}
