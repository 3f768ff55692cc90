import type { LatchkeyError } from '@latchkey/protocol/errors'
import type { PopupProvider, WireAccountType } from '@latchkey/protocol/frame/messages'
import type { ReadableStore } from '../lib/store.ts'
import type { ViewName } from '../modal/views.ts'

/** What is under way between the visitor and the embedded wallet. */
export type LoginStep =
  /** CONNECT_EMAIL is on its way. */
  | 'email'
  /** CONNECT_EMAIL is answered in a window of the wallet: the page is of another site. */
  | 'window'
  /** A code is being looked at, and after it the account is opened. */
  | 'code'
  /** The other device is waited for. */
  | 'device'
  | 'social'
  | 'farcaster'
  | 'passkey'
  /** An e-mail change. */
  | 'update'

/** A social login on its way. */
export interface SocialState {
  readonly provider: PopupProvider
  /** `leaving`: the whole page goes there; `waiting`: for the visitor in the popup; `retrieving`: for the account. */
  readonly status: 'opening' | 'leaving' | 'waiting' | 'retrieving' | 'failed'
}

/** What the log-in views draw. Printable. */
export interface LoginState {
  readonly busy: LoginStep | undefined
  /** The address that a code was asked for. */
  readonly email: string | undefined
  /** What to say under the field, until the visitor types again; everything else is a toast. */
  readonly error: LatchkeyError | undefined
  /** When the next mail may be asked for, in epoch milliseconds; survives a reload. */
  readonly resendAt: number | undefined
  readonly social: SocialState | undefined
  /** The link that the visitor opens or scans. */
  readonly farcasterUrl: string | undefined
}

/**
 * Logging in, what to ask next, and where it leads. Every deed also turns the modal's page, keeps `state` and shows a toast where
 * the visitor must know; its rejection is for hosts that drive it themselves, and a view may drop it.
 */
export interface Login {
  readonly state: ReadableStore<LoginState>
  /** Seconds until another mail may be asked for, rounded up; 0 when it may be now. */
  secondsToWait(): number
  /** Forgets the error under the field. */
  clearError(): void
  /** Has toasts say it in the visitor's words: of an error, or, without one, that another code was sent. [English, as a developer reads it] */
  setErrorFormatter(words: (error?: LatchkeyError) => string): void

  /** Asks for a code; leads to EmailVerifyOtp, EmailVerifyDevice or straight in. */
  submitEmail(email: string): Promise<void>
  /** Sends the code; then connects. */
  submitCode(code: string): Promise<void>
  /** Asks for another mail to the same address. */
  resend(): Promise<void>
  /** While EmailVerifyDevice is on screen: waits for the approval, asking again every 30 s until the link is dead. Answers how to stop. */
  awaitDevice(): () => void

  /**
   * Logs in through a popup, which opens within the visitor's click; `here` (or a browser in which popups lead nowhere) takes the whole page
   * to the provider and back. Leads to ConnectingSocial.
   */
  social(provider: PopupProvider, how?: { here?: boolean }): Promise<void>
  /** Gives the popup up. */
  cancelSocial(): void
  /** Logs in by Farcaster, on ConnectingFarcaster: a link, then a wait. */
  farcaster(): Promise<void>
  /** Leaves it unconnected: the frame starts afresh. */
  cancelFarcaster(): void

  /** Comes in by passkey, or begins with one, in the wallet's own window; then connects. Taken back when `signal` aborts. */
  passkey(signal?: AbortSignal): Promise<void>
  /** Where the visitor looks after keys and recovery; opens beside this page. `undefined` where there is no such page. */
  walletPage(): string | undefined
  /** Whether the loss of one thing would lose the account: then nobody is asked to send to it without a word. */
  isSingle(): Promise<boolean>

  /** The address of the connected visitor. */
  currentEmail(): string | undefined
  /** Asks to change it; leads to UpdateEmailPrimaryOtp or UpdateEmailSecondaryOtp. */
  updateEmail(email: string, redirectView?: ViewName): Promise<void>
  /** The code sent to the current address. */
  submitPrimaryCode(code: string): Promise<void>
  /** The code sent to the new one; answers the new address. */
  submitSecondaryCode(code: string): Promise<string>

  /** Which kind of account is wanted; a refusal falls back to `eoa`. */
  setAccountType(type: WireAccountType): Promise<WireAccountType>
  /** Whether the active network has smart accounts. */
  smartAccountsHere(): boolean
}
