import type { PopupProvider, WireAccountType } from '@latchkey/protocol/frame/messages'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { ReadableStore } from '../lib/store.ts'
import type { ViewName } from '../modal/views.ts'

/** The login step in progress. */
export type LoginStep =
  /** CONNECT_EMAIL has been sent. */
  | 'email'
  /** CONNECT_EMAIL is handled in a wallet window, because the page is cross-site. */
  | 'window'
  /** The code is being verified and the account opened. */
  | 'code'
  /** Waiting for approval on the other device. */
  | 'device'
  | 'social'
  | 'farcaster'
  | 'passkey'
  /** An email change. */
  | 'update'

/** A social login in progress. */
export interface SocialState {
  /** The social provider. A Farcaster login is not described here: see `farcasterUrl`. */
  readonly provider: PopupProvider
  /** `leaving`: redirecting to the provider. `waiting`: waiting for the user in the popup. `retrieving`: loading the account. */
  readonly status: 'opening' | 'leaving' | 'waiting' | 'retrieving' | 'failed'
}

/** The state that the login views render. Serializable. */
export interface LoginState {
  /** The step in progress, or `undefined`. */
  readonly busy: LoginStep | undefined
  /** The email address the code was requested for. */
  readonly email: string | undefined
  /** The error below the field, cleared when the user types. Other errors are shown as toasts. */
  readonly error: LatchkeyError | undefined
  /** When another email can be requested, in epoch milliseconds. Persists across reloads. */
  readonly resendAt: number | undefined
  /** The social login in progress, or the one that has failed. `undefined` otherwise. */
  readonly social: SocialState | undefined
  /** The link that the user opens or scans. */
  readonly farcasterUrl: string | undefined
}

/**
 * The login flow and its navigation. Each action also navigates the modal, updates `state` and shows a toast if needed. Rejections are for
 * hosts that call an action directly; views can ignore them.
 */
export interface Login {
  /** The state that the login views render. */
  readonly state: ReadableStore<LoginState>
  /** Returns the seconds until another email can be requested, rounded up, or 0 if it can be requested now. */
  secondsToWait(): number
  /** Clears the error below the field. */
  clearError(): void
  /** Sets how toasts are worded. The formatter receives the error, or nothing when another code was sent. [developer-facing English] */
  setErrorFormatter(words: (error?: LatchkeyError) => string): void

  /** Requests a code, then navigates to EmailVerifyOtp or EmailVerifyDevice, or connects directly. */
  submitEmail(email: string): Promise<void>
  /** Submits the code and connects. */
  submitCode(code: string): Promise<void>
  /** Resends the email to the same address. */
  resend(): Promise<void>
  /** Waits for the device approval while EmailVerifyDevice is on screen, repeating the request every 30 s until the link expires. Returns a function that stops waiting. */
  awaitDevice(): () => void

  /**
   * Logs in through a popup. Call it in a click handler. With `here`, or if popups do not work, the page redirects to the provider and back.
   * Navigates to ConnectingSocial.
   */
  social(provider: PopupProvider, how?: { here?: boolean }): Promise<void>
  /** Cancels the popup login. */
  cancelSocial(): void
  /** Logs in with Farcaster. ConnectingFarcaster shows the link and waits for approval. */
  farcaster(): Promise<void>
  /** Cancels the Farcaster login and resets the frame. */
  cancelFarcaster(): void

  /** Logs in or signs up with a passkey in the wallet's own window, then connects. Cancelled when `signal` aborts. */
  passkey(signal?: AbortSignal): Promise<void>
  /** Returns the URL of the page where users manage keys and recovery, or `undefined` if there is none. Open it in a new tab. */
  walletPage(): string | undefined
  /** Whether the account has only one key. If so, warn the user before they receive funds. */
  isSingle(): Promise<boolean>

  /** Returns the email address of the connected user. */
  currentEmail(): string | undefined
  /** Requests an email change, then navigates to UpdateEmailPrimaryOtp or UpdateEmailSecondaryOtp. */
  updateEmail(email: string, redirectView?: ViewName): Promise<void>
  /** Submits the code sent to the current address. */
  submitPrimaryCode(code: string): Promise<void>
  /** Submits the code sent to the new address. Resolves to the new address. */
  submitSecondaryCode(code: string): Promise<string>

  /** Sets the preferred account type. Falls back to `eoa` if it is refused. */
  setAccountType(type: WireAccountType): Promise<WireAccountType>
  /** Whether the active network supports smart accounts. */
  smartAccountsHere(): boolean
}
