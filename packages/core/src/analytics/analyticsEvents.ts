/** The events of the specification (services 3.15) that this version sends. */
export interface AnalyticsEvents {
  /** Never sent. */
  MODAL_CREATED: undefined
  /** The runtime has loaded. `networks`: the IDs of the host's networks. `defaultNetwork`: the active chain (CAIP-2). */
  INITIALIZE: { networks: readonly (string | number)[]; defaultNetwork?: string; themeMode?: string }
  /** The modal was opened. `connected`: whether the active namespace has an account. */
  MODAL_OPEN: { connected: boolean }
  /** The modal was closed. `connected`: whether the active namespace has an account. */
  MODAL_CLOSE: { connected: boolean }
  /** The user opened the list of all wallets. */
  CLICK_ALL_WALLETS: undefined
  /** The user opened the networks from the account view or the modal's header. */
  CLICK_NETWORKS: undefined
  /** The user opened the explanation of networks. */
  CLICK_NETWORK_HELP: undefined
  /** The user opened the explanation of wallets. */
  CLICK_WALLET_HELP: undefined
  /** The user opened the list of wallets to install. */
  CLICK_GET_WALLET: undefined
  /** The user selected a wallet. `name`: its display name. `platform`: how it is going to be connected. */
  SELECT_WALLET: { name: string; platform: 'browser' | 'mobile' | 'qrcode' | 'web' | 'desktop' | 'external' }
  /** A search of the directory succeeded. `search`: the search term. `badge`: the filter, if any. */
  SEARCH_WALLET: { badge?: string; search: string }
  /** A wallet has connected. `name`: its display name. `reconnect`: set if it was restored from an earlier visit. */
  CONNECT_SUCCESS: {
    method: 'browser' | 'qrcode' | 'mobile' | 'email' | 'social' | 'external'
    name: string
    reconnect?: boolean
  }
  /** Connecting or pairing failed or was rejected. `message`: the message of the error. */
  CONNECT_ERROR: { message: string }
  /** No link to a wallet's app could be created. `name`: the wallet's name. */
  CONNECT_PROXY_ERROR: { message: string; name: string }
  /** The user cancelled the sign-in. */
  CLICK_CANCEL_SIWX: undefined
  /** The user clicked the sign button of ConnectingSiwe. */
  CLICK_SIGN_SIWX_MESSAGE: undefined
  /** A signed message was accepted, and the account is signed in. */
  SIWX_AUTH_SUCCESS: undefined
  /** Signing in or looking up the session failed. `message`: the message of the error. */
  SIWX_AUTH_ERROR: { message: string }
  /** A call of `disconnect()` succeeded. `namespace`: its parameter, or `all`. */
  DISCONNECT_SUCCESS: { namespace: string }
  /** At least one wallet reported an error while disconnecting. `message`: all messages, separated by commas. */
  DISCONNECT_ERROR: { message: string }
  /** The active network was switched. `network`: a CAIP-2 chain ID. */
  SWITCH_NETWORK: { network: string }
  /** The user focused the email field. */
  EMAIL_LOGIN_SELECTED: undefined
  /** A login by email was requested. The address is not included. */
  EMAIL_SUBMITTED: undefined
  /** A code was sent for a login by email. */
  EMAIL_VERIFICATION_CODE_SENT: undefined
  /** A code from an email was accepted, for a login or a change of the address. */
  EMAIL_VERIFICATION_CODE_PASS: undefined
  /** A code from an email was not accepted. `message`: the message of the error. */
  EMAIL_VERIFICATION_CODE_FAIL: { message: string }
  /** The user approved this browser with an emailed link. */
  DEVICE_REGISTERED_FOR_EMAIL: undefined
  /** The user requested a change of the email address. */
  EMAIL_EDIT: undefined
  /** The user started a social login. `provider`: for example `google` or `farcaster`. */
  SOCIAL_LOGIN_STARTED: { provider: string }
  /** The user has returned from the provider, and the account is being loaded. */
  SOCIAL_LOGIN_REQUEST_USER_DATA: { provider: string }
  /** A social login succeeded, and the account is connected. */
  SOCIAL_LOGIN_SUCCESS: { provider: string }
  /** A social login failed. `message`: the message of the error. */
  SOCIAL_LOGIN_ERROR: { provider: string; message: string }
  /** The user cancelled a social login before returning from the provider. */
  SOCIAL_LOGIN_CANCELED: { provider: string }
  /** The account type was changed. `accountType`: the type now in use. `network`: the active chain (CAIP-2). */
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
  /** Aborts pending requests. Events that are tracked afterwards are dropped. */
  stop(): void
}
