import type { Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/errors'
import type { EmbeddedWalletClient, LoginRecords } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { Latchkey, State, Toast } from '../latchkey.ts'
import type { Log } from '../lib/log.ts'
import type { createStore, ReadableStore } from '../lib/store.ts'
import type { LoginState, LoginStep } from './login.ts'

/** The page's window, as much as a popup needs of it. */
export type PopupWindow = Pick<Window, 'open' | 'addEventListener' | 'removeEventListener'>

/** What logging in takes. */
export interface LoginDependencies {
  readonly wallet: () => Promise<EmbeddedWalletClient>
  readonly records: LoginRecords
  readonly clock: Clock
  readonly log: Log
  readonly state: ReadableStore<State>
  readonly modal: Latchkey['modal']
  /** The families that the embedded wallet can serve here. */
  namespaces(): readonly Namespace[]
  /** Connects `namespace` to the embedded wallet; `beside`: without making it the active one. */
  connect(params: { namespace: Namespace; beside: boolean }): Promise<unknown>
  track(event: AnalyticsEvent): void
  toast(kind: Toast['kind'], text: string): void
  /** [the page's] Where popups open. */
  readonly window?: PopupWindow
}

/** Where the visitor reads what went wrong: in `state.error`, in a toast, in both, or not at all. */
export type ErrorPlace = 'field' | 'toast' | 'both' | 'nowhere'

/** What the steps of a login share. */
export interface LoginContext extends LoginDependencies {
  readonly store: ReturnType<typeof createStore<LoginState>>
  patch(change: Partial<LoginState>): void
  /** Whatever `action` rejects with, as one of ours; `errorPlace` decides where the visitor reads it. [a toast] */
  run<T>(step: LoginStep, action: () => Promise<T>, errorPlace?: (error: LatchkeyError) => ErrorPlace): Promise<T>
  /** Resolves when the frame is there. Where it takes long, the visitor reads that, and what else they can do, while it may still come. */
  frameReady(wallet: EmbeddedWalletClient, signal: AbortSignal): Promise<void>
  /** After any kind of log-in: connects the active family, then the others. */
  enter(): Promise<void>
}
