/** The events of the specification (services 3.15) that this version sends. */
export interface AnalyticsEvents {
  MODAL_CREATED: undefined
  INITIALIZE: { networks: readonly (string | number)[]; defaultNetwork?: string; themeMode?: string }
  MODAL_OPEN: { connected: boolean }
  MODAL_CLOSE: { connected: boolean }
  CLICK_ALL_WALLETS: undefined
  CLICK_NETWORKS: undefined
  CLICK_NETWORK_HELP: undefined
  CLICK_WALLET_HELP: undefined
  CLICK_GET_WALLET: undefined
  SELECT_WALLET: { name: string; platform: 'browser' | 'mobile' | 'qrcode' | 'web' | 'desktop' | 'external' }
  SEARCH_WALLET: { badge?: string; search: string }
  CONNECT_SUCCESS: {
    method: 'browser' | 'qrcode' | 'mobile' | 'email' | 'social' | 'external'
    name: string
    reconnect?: boolean
  }
  CONNECT_ERROR: { message: string }
  CONNECT_PROXY_ERROR: { message: string; name: string }
  CLICK_CANCEL_SIWX: undefined
  CLICK_SIGN_SIWX_MESSAGE: undefined
  SIWX_AUTH_SUCCESS: undefined
  SIWX_AUTH_ERROR: { message: string }
  DISCONNECT_SUCCESS: { namespace: string }
  DISCONNECT_ERROR: { message: string }
  SWITCH_NETWORK: { network: string }
  EMAIL_LOGIN_SELECTED: undefined
  EMAIL_SUBMITTED: undefined
  EMAIL_VERIFICATION_CODE_SENT: undefined
  EMAIL_VERIFICATION_CODE_PASS: undefined
  EMAIL_VERIFICATION_CODE_FAIL: { message: string }
  DEVICE_REGISTERED_FOR_EMAIL: undefined
  EMAIL_EDIT: undefined
  SOCIAL_LOGIN_STARTED: { provider: string }
  SOCIAL_LOGIN_REQUEST_USER_DATA: { provider: string }
  SOCIAL_LOGIN_SUCCESS: { provider: string }
  SOCIAL_LOGIN_ERROR: { provider: string; message: string }
  SOCIAL_LOGIN_CANCELED: { provider: string }
  SET_PREFERRED_ACCOUNT_TYPE: { accountType: string; network: string }
}

/** An event with its properties. */
export type AnalyticsEvent = {
  [Name in keyof AnalyticsEvents]: AnalyticsEvents[Name] extends undefined
    ? { readonly event: Name }
    : { readonly event: Name; readonly properties: AnalyticsEvents[Name] }
}[keyof AnalyticsEvents]

/** Sends events to the operator, if both the host and the operator enabled it. */
export interface Analytics {
  /** `timestamp`: when it happened, in milliseconds. [now] */
  track(event: AnalyticsEvent, timestamp?: number): void
  /** Reports an error, at most five times a minute. */
  report(text: string, cause: unknown): void
  stop(): void
}
