/** The properties of the events of a swap. */
interface SwapProperties {
  isSmartAccount: boolean
  network: string
  swapFromToken: string
  swapToToken: string
  swapFromAmount: string
  swapToAmount: string
}

/** The analytics events and their properties. */
export interface AnalyticsEvents {
  /** Not sent by this version. */
  MODAL_CREATED: undefined
  /** The runtime was loaded. `networks` contains the host's network IDs. `defaultNetwork` is the active chain (CAIP-2). */
  INITIALIZE: { networks: readonly (string | number)[]; defaultNetwork?: string; themeMode?: string }
  /** The modal was opened. `connected` is `true` if the active namespace has an account. */
  MODAL_OPEN: { connected: boolean }
  /** The modal was closed. `connected` is `true` if the active namespace has an account. */
  MODAL_CLOSE: { connected: boolean }
  /** The user opened the list of all wallets. */
  CLICK_ALL_WALLETS: undefined
  /** The user opened the list of networks from the account view or the modal's header. */
  CLICK_NETWORKS: undefined
  /** The user opened the account's transactions. */
  CLICK_TRANSACTIONS: undefined
  /** The user scrolled to the next page of the account's transactions. */
  LOAD_MORE_TRANSACTIONS: undefined
  /** A page of the account's transactions could not be loaded. `message` is the error message. */
  ERROR_FETCH_TRANSACTIONS: { message: string }
  /** The user opened the explanation of networks. */
  CLICK_NETWORK_HELP: undefined
  /** The user opened the explanation of wallets. */
  CLICK_WALLET_HELP: undefined
  /** The user opened the list of wallets to install. */
  CLICK_GET_WALLET: undefined
  /** The user selected a wallet. `name` is the wallet's display name, and `platform` is how it will be connected. */
  SELECT_WALLET: { name: string; platform: 'browser' | 'mobile' | 'qrcode' | 'web' | 'desktop' | 'external' }
  /** A directory search succeeded. `search` is the search term, and `badge` is the filter, if any. */
  SEARCH_WALLET: { badge?: string; search: string }
  /**
   * A wallet connected. `name` is its display name. The method is `email` for every login to the embedded wallet, including social
   * logins. `reconnect` is `true` if an earlier connection was restored.
   */
  CONNECT_SUCCESS: {
    method: 'browser' | 'qrcode' | 'mobile' | 'email' | 'external'
    name: string
    reconnect?: boolean
  }
  /** Connecting or pairing a wallet failed or was rejected. `message` is the error message. */
  CONNECT_ERROR: { message: string }
  /** A link to a wallet app could not be created. `name` is the wallet's display name. */
  CONNECT_PROXY_ERROR: { message: string; name: string }
  /** The user cancelled the sign-in. */
  CLICK_CANCEL_SIWX: undefined
  /** The user clicked the sign button in ConnectingSiwe, the sign-in view of `siwe()`. */
  CLICK_SIGN_SIWX_MESSAGE: undefined
  /** A signed message was accepted, and the account is now signed in. */
  SIWX_AUTH_SUCCESS: undefined
  /** Signing in or looking up the session failed. `message` is the error message. */
  SIWX_AUTH_ERROR: { message: string }
  /** A call to `disconnect()` succeeded. `namespace` is its parameter, or `all`. */
  DISCONNECT_SUCCESS: { namespace: string }
  /** At least one wallet could not be disconnected. `message` contains all error messages, separated by commas. */
  DISCONNECT_ERROR: { message: string }
  /** The active network was switched. `network` is the new CAIP-2 chain ID. */
  SWITCH_NETWORK: { network: string }
  /** The user focused the email field. */
  EMAIL_LOGIN_SELECTED: undefined
  /** The user requested a login by email. The email address is not included. */
  EMAIL_SUBMITTED: undefined
  /** A code was emailed for a login. */
  EMAIL_VERIFICATION_CODE_SENT: undefined
  /** An emailed code was accepted, either for a login or for changing the email address. */
  EMAIL_VERIFICATION_CODE_PASS: undefined
  /** An emailed code was not accepted. `message` is the error message. */
  EMAIL_VERIFICATION_CODE_FAIL: { message: string }
  /** The user approved this browser with an emailed link. */
  DEVICE_REGISTERED_FOR_EMAIL: undefined
  /** The user requested to change the email address. */
  EMAIL_EDIT: undefined
  /** The user started a social login. `provider` is the provider's name, such as `google` or `farcaster`. */
  SOCIAL_LOGIN_STARTED: { provider: string }
  /** The user has returned from the provider, and the account is being loaded. */
  SOCIAL_LOGIN_REQUEST_USER_DATA: { provider: string }
  /** A social login succeeded, and the account is connected. */
  SOCIAL_LOGIN_SUCCESS: { provider: string }
  /** A social login failed. `message` is the error message. */
  SOCIAL_LOGIN_ERROR: { provider: string; message: string }
  /** The user cancelled a social login before returning from the provider. */
  SOCIAL_LOGIN_CANCELED: { provider: string }
  /** The account type was changed. `accountType` is the type now in use, and `network` is the active chain (CAIP-2). */
  SET_PREFERRED_ACCOUNT_TYPE: { accountType: string; network: string }
  /** The user opened the list of providers from which crypto can be bought. */
  SELECT_BUY_CRYPTO: { isSmartAccount: boolean }
  /** The user chose to buy from `provider`, such as `coinbase`. */
  SELECT_BUY_PROVIDER: { provider: string; isSmartAccount: boolean }
  /** The user opened the form for swapping tokens. `network` is the active chain (CAIP-2). */
  OPEN_SWAP: { isSmartAccount: boolean; network: string }
  /** The user opened the list of tokens to swap. */
  CLICK_SELECT_TOKEN_TO_SWAP: undefined
  /** The user opened the review of a swap. The tokens are symbols, and the amounts are in human units. */
  INITIATE_SWAP: SwapProperties
  /** A swap was included in a block. */
  SWAP_SUCCESS: SwapProperties
  /** A swap was not sent, or reverted. `message` is the error message. */
  SWAP_ERROR: SwapProperties & { message: string }
  /** An approval for a swap was not sent, or reverted. */
  SWAP_APPROVAL_ERROR: SwapProperties & { message: string }
  /** The user opened the form for registering an account name. */
  OPEN_ENS_FLOW: { isSmartAccount: boolean }
  /** The user confirmed the account name `ensName`, and is asked to sign. */
  REGISTER_NAME_INITIATED: { isSmartAccount: boolean; ensName: string }
  /** An account name was registered. */
  REGISTER_NAME_SUCCESS: { isSmartAccount: boolean; ensName: string }
  /** An account name could not be registered. `error` is the error message. */
  REGISTER_NAME_ERROR: { isSmartAccount: boolean; ensName: string; error: string }
  /** The user opened the form for sending tokens. `network` is the active chain (CAIP-2). */
  OPEN_SEND: { isSmartAccount: boolean; network: string }
  /** The user confirmed a transfer of `amount` of the token with the symbol `token`, and the wallet prompts the user. */
  SEND_INITIATED: { isSmartAccount: boolean; network: string; token: string; amount: number }
  /** The wallet sent a transfer. It is not necessarily in a block yet. */
  SEND_SUCCESS: { isSmartAccount: boolean; network: string; token: string; amount: number; hash: string }
  /** A transfer could not be sent. `message` is the error message. */
  SEND_ERROR: { isSmartAccount: boolean; network: string; token: string; amount: number; message: string }
  /** The user declined a transfer in the wallet. */
  SEND_REJECTED: { isSmartAccount: boolean; network: string; token: string; amount: number; message: string }
}

/** An event with its properties. */
export type AnalyticsEvent = {
  [Name in keyof AnalyticsEvents]: AnalyticsEvents[Name] extends undefined
    ? { readonly event: Name }
    : { readonly event: Name; readonly properties: AnalyticsEvents[Name] }
}[keyof AnalyticsEvents]

/** Sends events to the operator, if both the host and the operator have enabled analytics. */
export interface Analytics {
  /** Sends an event. `timestamp` is when it happened, in epoch milliseconds. Default: the current time. */
  track(event: AnalyticsEvent, timestamp?: number): void
  /** Reports an error, at most five times a minute. */
  report(text: string, cause: unknown): void
  /** Aborts pending requests. Events that are tracked afterwards are dropped. */
  stop(): void
}
