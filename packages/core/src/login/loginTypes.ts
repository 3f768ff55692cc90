import type { PopupProvider, WireAccountType } from '@latchkey/protocol/frame/messages'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { ReadableStore } from '../lib/store.ts'
import type { ViewName } from '../modal/views.ts'

/** The login step in progress. */
export type LoginStep =
  /** CONNECT_EMAIL was sent, and there is no response yet. */
  | 'email'
  /** CONNECT_EMAIL is handled in the wallet's window, because the page is cross-site. */
  | 'window'
  /** The code is being verified, or the account is being connected. */
  | 'code'
  /** The login is waiting for the user to approve this device. */
  | 'device'
  | 'social'
  | 'farcaster'
  | 'passkey'
  /** The email address is being changed. */
  | 'update'

/** A social login in progress. */
export interface SocialState {
  /** The social login provider. For a Farcaster login, see `farcasterUrl` instead. */
  readonly provider: PopupProvider
  /**
   * The status of the login. `leaving` means that the page is redirecting to the provider, `waiting` that the user is logging in
   * with the popup, and `retrieving` that the account is being loaded.
   */
  readonly status: 'opening' | 'leaving' | 'waiting' | 'retrieving' | 'failed'
}

/** The state that the login views render. It is serializable. */
export interface LoginState {
  /** The login step in progress, if any. */
  readonly busy: LoginStep | undefined
  /** The email address for which a code was requested. */
  readonly email: string | undefined
  /** The error to display below the field. Cleared when the user types. Other errors are displayed in toasts. */
  readonly error: LatchkeyError | undefined
  /** When another email can be requested, in epoch milliseconds. Persists when the page is reloaded. */
  readonly resendAt: number | undefined
  /** The social login that is in progress or has failed, if any. */
  readonly social: SocialState | undefined
  /** The Farcaster link that the user opens or scans. */
  readonly farcasterUrl: string | undefined
}

/**
 * The login flow. Each action also navigates the modal, updates `state` and displays errors, so that views can ignore rejections.
 * Hosts that call an action directly can handle them.
 */
export interface Login {
  /** The state that the login views render. */
  readonly state: ReadableStore<LoginState>
  /** Returns the number of seconds until another email can be requested, rounded up. */
  secondsToWait(): number
  /** Clears the error below the field. */
  clearError(): void
  /**
   * Sets the function that returns the text of toasts. It receives the error, or no argument if another code was sent. By
   * default, toasts display English messages for developers.
   */
  setErrorFormatter(words: (error?: LatchkeyError) => string): void

  /** Requests a code, and navigates to EmailVerifyOtp or EmailVerifyDevice. Connects directly if no code is needed. */
  submitEmail(email: string): Promise<void>
  /** Submits the code and connects. */
  submitCode(code: string): Promise<void>
  /** Resends the email to the same address. */
  resend(): Promise<void>
  /**
   * Waits until the user approves this device or the link expires. Call this method while EmailVerifyDevice is displayed. Returns
   * a function that stops waiting.
   */
  awaitDevice(): () => void

  /**
   * Logs in with a popup, and navigates to ConnectingSocial. Call this method in a click handler. If `here` is `true` or popups
   * do not work, the page redirects to the provider and back instead.
   */
  social(provider: PopupProvider, how?: { here?: boolean }): Promise<void>
  /** Cancels the popup login. */
  cancelSocial(): void
  /** Logs in with Farcaster, and navigates to ConnectingFarcaster, which displays the link for the user to approve. */
  farcaster(): Promise<void>
  /** Cancels the Farcaster login and resets the frame. */
  cancelFarcaster(): void

  /** Logs in or signs up with a passkey in the wallet's own window, and connects. Cancelled if `signal` aborts. */
  passkey(signal?: AbortSignal): Promise<void>
  /** Returns the URL of the page where users manage keys and recovery, if there is one. Open it in a new tab. */
  walletPage(): string | undefined
  /** Resolves to whether the account has only one key. If so, warn users before they receive funds. */
  isSingle(): Promise<boolean>

  /** Returns the connected user's email address, if known. */
  currentEmail(): string | undefined
  /** Requests a change of email address, and navigates to UpdateEmailPrimaryOtp or UpdateEmailSecondaryOtp. */
  updateEmail(email: string, redirectView?: ViewName): Promise<void>
  /** Submits the code that was sent to the current address. */
  submitPrimaryCode(code: string): Promise<void>
  /** Submits the code that was sent to the new address. Resolves to the new address. */
  submitSecondaryCode(code: string): Promise<string>

  /** Sets the preferred account type. Resolves to the type now in use, which is `eoa` if the frame rejects the request. */
  setAccountType(type: WireAccountType): Promise<WireAccountType>
  /** Whether the active network supports smart accounts. */
  smartAccountsHere(): boolean
}
