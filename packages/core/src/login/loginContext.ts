import type { Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import type { EmbeddedWalletClient, LoginRecords } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { Latchkey, State, Toast } from '../latchkey.ts'
import type { Log } from '../lib/log.ts'
import type { createStore, ReadableStore } from '../lib/store.ts'
import type { LoginState, LoginStep } from './login.ts'

/** The part of the `Window` interface that popups need. */
export type PopupWindow = Pick<Window, 'open' | 'addEventListener' | 'removeEventListener'>

/** The dependencies of the login flow. */
export interface LoginDependencies {
  readonly wallet: () => Promise<EmbeddedWalletClient>
  readonly records: LoginRecords
  readonly clock: Clock
  readonly log: Log
  readonly state: ReadableStore<State>
  readonly modal: Latchkey['modal']
  /** Returns the namespaces that the embedded wallet supports here. */
  namespaces(): readonly Namespace[]
  /** Connects `namespace` to the embedded wallet. With `beside`, it does not become the active namespace. */
  connect(params: { namespace: Namespace; beside: boolean }): Promise<unknown>
  track(event: AnalyticsEvent): void
  toast(kind: Toast['kind'], text: string): void
  /** [the page's window] Opens the popups. */
  readonly window?: PopupWindow
}

/** Where an error is displayed: in `state.error`, in a toast, in both, or nowhere. */
export type ErrorPlace = 'field' | 'toast' | 'both' | 'nowhere'

/** Shared by the steps of a login. */
export interface LoginContext extends LoginDependencies {
  readonly store: ReturnType<typeof createStore<LoginState>>
  patch(change: Partial<LoginState>): void
  /** Runs `action` and rejects with a LatchkeyError if it fails. `errorPlace` decides where the error is displayed. [a toast] */
  run<T>(step: LoginStep, action: () => Promise<T>, errorPlace?: (error: LatchkeyError) => ErrorPlace): Promise<T>
  /** Resolves when the frame is ready. If that takes long, the user is notified of it and of the alternatives while waiting continues. */
  frameReady(wallet: EmbeddedWalletClient, signal: AbortSignal): Promise<void>
  /** Connects the active namespace after a login, then the other namespaces. */
  enter(): Promise<void>
}
