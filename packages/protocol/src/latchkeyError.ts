import { CodedError } from './codedError.ts'

/** The codes and details of the errors whose messages are in the initial bundle. */
export interface CoreErrorDetails {
  /** The user declined a request in the wallet (EIP-1193, 4001). `request` is the method or name of the request. */
  'user/rejected': { request: string }
  /** No wallet on this page has this connector ID. `ID_AUTH` is the embedded wallet. */
  'wallet/not-found': { connectorId: string }
  /**
   * The wallet has not granted access to this page or account, or has revoked it (EIP-1193, 4100). `connectorId` is empty if no
   * wallet is connected.
   */
  'wallet/not-authorized': { connectorId: string }
  /** The wallet did not respond in time, or is disconnected from all chains (EIP-1193, 4900). */
  'wallet/unresponsive': { connectorId: string }
  /**
   * The connected wallet cannot be reached at the moment. Nothing was signed. `retryAfterMs` is the suggested delay, if known.
   */
  'wallet/unreachable': { connectorId: string; retryAfterMs?: number | undefined }
  /** The wallet has a pending request, which the user must complete first (JSON-RPC error -32002). */
  'wallet/busy': { connectorId: string }
  /**
   * The wallet reported an error that no other code covers, or returned an invalid response. `message` is the wallet's message
   * or the reason.
   */
  'wallet/failed': { message: string }
  /** The wallet does not support the method (EIP-1193, 4200, or JSON-RPC error -32601). */
  'wallet/unsupported': { method: string }
  /** The chain is not one of the page's networks. `chain` is its CAIP-2 ID, or an empty string if no network is active. */
  'network/not-found': { chain: string }
  /** The wallet does not support the chain or did not switch to it. `chain` is the chain's CAIP-2 ID. */
  'network/unsupported': { chain: string }
  /** At least one wallet could not be disconnected. `message` combines the messages of all errors. */
  'disconnect/failed': { message: string }
  /**
   * The request was cancelled by its `AbortSignal`, or because its result is no longer needed. This error does not need to be
   * shown to users.
   */
  'request/aborted': undefined
  /** No response to `request` was received in time. `afterMs` is the timeout. */
  'request/timeout': { request: string; afterMs: number }
  /**
   * The server responded with an error status. `retryAfterMs` is the delay from the Retry-After header, if any. `url` has no
   * query. `reason` is the first reason in the response of the chain API, for developers, and `field` is the parameter or field
   * that it is about.
   */
  'http/failed': {
    status: number
    url: string
    retryAfterMs?: number | undefined
    reason?: string | undefined
    field?: string | undefined
  }
  /**
   * The server did not respond. It might be down, or CORS or the page's `connect-src` might block the request. `url` has no
   * query.
   */
  'http/unreachable': { url: string }
  /** The server's response is too large or is not the expected JSON or image. `url` has no query. */
  'http/malformed': { url: string }
  /** An argument or option is invalid. `path` is its path, such as `email`, and `message` describes the expected value. */
  'input/invalid': { path: string; message: string }
  /** The browser's storage is full or unavailable. `action` is `get` or `set`, and `record` is the name of the data. */
  'storage/failed': { action: string; record: string }
  /** The server or relay does not allow the page's origin for this project. */
  'app/origin-not-allowed': { origin: string }
  /** The embedded wallet did not start, probably because its server does not allow this page to embed it. */
  'app/unverified-domain': { origin: string }
  /** The page has no project ID, or the server does not recognize it. */
  'app/no-project': undefined
  /** Latchkey could not be loaded, or was stopped before the call could run. */
  'app/not-loaded': undefined
  /**
   * The balance or the tokens could not be read, because there is no node for the chain, or the node or server failed. The
   * `cause` is the reason.
   */
  'balance/unavailable': undefined
  /** Any other error. The original error is the `cause`. */
  unknown: { message: string }
}

/** The codes and details of all errors. The messages that are not in the initial bundle are in `errors/errorMessages`. */
export interface ErrorDetails extends CoreErrorDetails {
  /** The account's transactions could not be read. The `cause` is the reason. */
  'transactions/failed': undefined
  /** Transactions were requested, but no account is connected. */
  'transactions/no-account': undefined
  /** The transfer has no amount or no recipient. */
  'send/incomplete': undefined
  /** The transfer has no token. */
  'send/no-token': undefined
  /** Tokens can only be sent on eip155 and solana. */
  'send/unsupported-chain': undefined
  /** The account or the network is no longer the one for which the transfer was reviewed. Nothing was sent. */
  'send/changed': undefined
  /**
   * The transfer would fail, although the transaction could still cost a fee. `reason` is the node's message, or one of
   * `recipient-minimum`, `sender-minimum`, `not-a-recipient`, `no-token`, `token-refuses`, `withheld` and `decimals`. `minimum`
   * is an amount in base units.
   */
  'send/would-fail': { reason: string; minimum?: string | undefined }
  /** The wallet accepted a transaction, but did not return a valid hash. The transaction might have been sent. */
  'send/unconfirmed': undefined
  /** The transaction to replace is no longer pending, or the node does not know it. */
  'send/not-pending': undefined
  /** The node returned a transaction other than the one to be replaced. Nothing was sent. */
  'send/not-verified': undefined
  /** The network did not execute the transfer before it expired, so nothing was sent. Only on solana. */
  'send/expired': undefined
  /** The server does not support swaps on the network. */
  'swap/unsupported-network': undefined
  /** The server has no gas price for the network. */
  'swap/no-gas-price': undefined
  /** The tokens that can be swapped could not be read. The `cause` is the reason. */
  'swap/not-loaded': undefined
  /** No exchange swaps this amount of these tokens. */
  'swap/no-liquidity': undefined
  /** The account does not have the amount to swap. */
  'swap/insufficient-balance': undefined
  /** The account cannot pay the network fee. `symbol` is the network's currency. */
  'swap/insufficient-gas': { symbol: string }
  /** The exchange's allowance for the token could not be read. The `cause` is the reason. */
  'swap/allowance-failed': undefined
  /** The server did not create the approval. The `cause` is the reason. */
  'swap/approval-failed': undefined
  /** The server did not create the swap transaction. The `cause` is the reason. */
  'swap/build-failed': undefined
  /** The server's transaction is not the swap that the user reviews. `reason` describes the difference. Nothing was sent. */
  'swap/mismatch': { reason: string }
  /** The account or the network is no longer the one for which the swap was reviewed. Nothing was sent. */
  'swap/changed': undefined
  /** The price got worse after the user reviewed it, or is too old. Nothing was sent. */
  'swap/outdated': undefined
  /** The wallet did not report whether it sent the transaction. The `cause` is the reason. */
  'swap/unconfirmed': undefined
  /** The transaction is in a block, but had no effect except for its fee. `hash` is the transaction hash. */
  'swap/reverted': { hash: string }
  /** A wallet's link was not opened because the page is in the background. `href` is the link. This error is only logged. */
  'link/skipped': { href: string }
  /**
   * The frame responded with an error or an invalid payload. `message` is the frame's message, or `undefined` if it sent none.
   */
  'frame/failed': { message?: string | undefined }
  /** A request to the frame was aborted or its channel was closed. Does not apply to RPC requests. */
  'frame/aborted': undefined
  /** A request was made after the frame was closed or removed from the page. */
  'frame/no-iframe': undefined
  /** The browser could not load the frame. */
  'frame/load-failed': undefined
  /** The embedded wallet does not support the RPC method (EIP-1193, 4200). */
  'frame/not-allowed': { method: string }
  /** Passkeys do not work in this browser, or the frame does not support them. */
  'frame/no-passkeys': undefined
  /** The frame did not send READY in time, or its version is incompatible. `afterMs` is the timeout. */
  'frame/unreachable': { afterMs: number }
  /** The frame did not respond to `method` in time. `afterMs` is the timeout. */
  'frame/timeout': { method: string; afterMs: number }
  /** The user requested another code too soon. `seconds` is the remaining time. */
  'email/throttled': { seconds: number }
  /** A social login popup returned a result from an origin other than the frame's. The login ends. */
  'social/untrusted-origin': { origin: string }
  /** The browser blocked the social login popup. */
  'social/popup-blocked': undefined
  /** The frame did not return a URL for the social login, or returned one that is not a web link. */
  'social/no-redirect': undefined
  /** The visitor identification script requires a key, but no key is configured. */
  'identify/missing-key': undefined
  /** The visitor identification script does not accept the configured key. */
  'identify/invalid-key': undefined
  /** The key for visitor identification has expired. */
  'identify/expired-key': undefined
  /** Visitor identification did not finish in time. */
  'identify/timeout': undefined
  /** The visitor identification service received too many requests. */
  'identify/rate-limited': undefined
  /** A content security policy blocks the script or the origin for visitor identification. */
  'identify/blocked-by-csp': undefined
  /** The visitor identification script could not be loaded, or failed for any other reason. */
  'identify/script-failed': undefined
  /** The relay rejected the client's token because this device's clock is wrong. */
  'relay/session-expired': undefined
  /** The relay does not recognize the page's project ID. */
  'relay/invalid-key': undefined
  /** The relay rejected the connection for any other reason. `message` is the relay's message. */
  'relay/refused': { message: string }
  /** The relay responded to a call with an error. `message` is the relay's message, which can be empty. */
  'relay/failed': { message: string }
  /** The relay did not respond to a call in time. `address` is the relay's host. */
  'relay/unreachable': { address: string }
  /** The text is not a WalletConnect pairing URI. */
  'pairing/invalid': undefined
  /** The pairing or its proposal has expired or has already been answered. */
  'pairing/expired': undefined
  /** The session that a wallet opened is invalid or does not satisfy the proposal. `message` is the reason. */
  'session/invalid': { message: string }
  /** There is no WalletConnect session with this topic, usually because the wallet has ended it. */
  'session/gone': undefined
  /** A WalletConnect expiry target is neither `id:<number>` nor `topic:<string>`. */
  'relay/invalid-target': { target: string }
  /** A sign-in was requested, but the host has not configured sign-in. */
  'sign-in/off': undefined
  /** A sign-in was requested, but no account is connected. */
  'sign-in/no-address': undefined
  /** A sign-in was requested on a network that is not one of the page's networks. */
  'sign-in/no-network': undefined
  /** The account's wallet cannot sign messages. */
  'sign-in/no-client': undefined
  /** The account's sign-in sessions could not be read. The `cause` is the reason. */
  'sign-in/not-initialised': undefined
  /** The wallet did not sign the message. The account is a contract, which the app might not support. */
  'sign-in/no-smart-accounts': undefined
  /** The user declined to sign, or the wallet failed. The `cause` is the original error. */
  'sign-in/declined': undefined
  /** The signature does not match the account and the message, or the host's server did not accept it. */
  'sign-in/invalid': undefined
  /** The message is not a valid sign-in message for this page. `reason` is the field or rule, such as `domain`. */
  'sign-in/refused': { reason: string }
  /** The nonce was not issued to this page, has already been used, or has expired. */
  'sign-in/spent': undefined
  /** No node could verify a contract signature (ERC-1271, ERC-6492). `chain` is the CAIP-2 ID of the contract's chain. */
  'sign-in/no-node': { chain: string; message: string }
  /** The page has no storage for sign-in sessions, and the host did not provide any. */
  'sign-in/no-storage': undefined
  /** The host's `getMessageParams()` returned no value. */
  'sign-in/no-message-params': undefined
  /** The host's `signOut()` reported a failure, so the user is still signed in. */
  'sign-in/not-signed-out': undefined
  /** There is no valid sign-in session, because the token is missing, revoked or expired. */
  'sign-in/not-authenticated': undefined
  /** The server's session token is not a JWT. */
  'sign-in/bad-token': undefined
  /** The message contains an email address that was not confirmed with a code. */
  'sign-in/code-needed': undefined
  /** The emailed code is wrong or has expired. */
  'sign-in/wrong-code': undefined
  /** The signature type in a CACAO (CAIP-74) is neither `eip191` nor `eip1271`. */
  'cacao/unknown-type': { type: string }
  /** The chain for a contract signature is not a CAIP-2 ID. */
  'cacao/bad-chain': { chain: string }
  /** A ReCap (ERC-5573) is not an object, or its resource cannot be decoded. */
  'recap/missing': undefined
  /** A ReCap (ERC-5573) has no `att` object. */
  'recap/no-att': undefined
  /** A resource in a ReCap (ERC-5573) is not an object of abilities. */
  'recap/bad-resource': undefined
  /** A resource in a ReCap (ERC-5573) has no ability, or has an ability that is not a list of objects. */
  'recap/bad-ability': undefined
}

/** An error code. The page, the frame and the server use the same codes. */
export type ErrorCode = keyof ErrorDetails

/** An error code whose message is in the initial bundle. */
export type CoreErrorCode = keyof CoreErrorDetails

/**
 * The messages for developers in the initial bundle. All other messages for developers are in `errors/errorMessages`, and the
 * messages for users are in the modal's `messages.ts`. Each `{placeholder}` is filled in from the details.
 */
export const errorSentences: { readonly [Code in CoreErrorCode]: string } = {
  'user/rejected': 'The user declined "{request}" in the wallet.',
  'wallet/not-found': 'Wallet "{connectorId}" was not found.',
  'wallet/not-authorized': 'Wallet "{connectorId}" has not authorized this page and cannot be restored silently.',
  'wallet/unresponsive': 'Wallet "{connectorId}" is not responding.',
  'wallet/unreachable': 'The wallet cannot be reached. The account stays connected and nothing was signed. Try again.',
  'wallet/busy': 'Wallet "{connectorId}" has a pending request. Complete it first.',
  'wallet/failed': 'The wallet failed: {message}',
  'wallet/unsupported': 'The wallet does not support "{method}".',
  'network/not-found': 'Network Not Found',
  'network/unsupported': 'Chain is not supported',
  'disconnect/failed': 'Failed to disconnect',
  'request/aborted': 'Request was aborted',
  'request/timeout': '"{request}" timed out after {afterMs} ms.',
  'http/failed': 'HTTP status code: {status}',
  'http/unreachable': 'No response from {url}.',
  'http/malformed': 'Invalid response from {url}.',
  'input/invalid': '{path}: {message}',
  'storage/failed': 'Unable to {action} {record}',
  'app/origin-not-allowed': 'Invalid App Configuration',
  'app/unverified-domain': 'Unverified Domain',
  'app/no-project': 'Project ID Not Configured',
  'app/not-loaded': 'Latchkey did not load or was stopped.',
  'balance/unavailable': 'Token Balance Unavailable',
  unknown: '{message}',
}

/** Options for an error: its cause, and its message if the code has none in `errorSentences`. */
export interface LatchkeyErrorOptions<Code extends ErrorCode = ErrorCode> extends ErrorOptions {
  /**
   * The message, which is required for codes without a message in `errorSentences`. Its placeholders are filled in from the
   * details.
   */
  readonly sentence?: Code extends CoreErrorCode ? undefined : string
}

/** The constructor arguments after the code. Details and a message are only allowed for codes that need them. */
export type ErrorArgs<Code extends ErrorCode> = Code extends CoreErrorCode
  ? ErrorDetails[Code] extends undefined
    ? [details?: undefined, options?: LatchkeyErrorOptions<Code>]
    : [details: ErrorDetails[Code], options?: LatchkeyErrorOptions<Code>]
  : [details: ErrorDetails[Code], options: ErrorOptions & { readonly sentence: string }]

/**
 * The error class used by Latchkey. Errors are distinguished by code instead of by subclass, because they cross window boundaries
 * and the network, where prototypes are lost.
 *
 * @example
 * throw new LatchkeyError('network/unsupported', { chain: 'eip155:5' }, { cause: error })
 */
export class LatchkeyError<Code extends ErrorCode = ErrorCode> extends CodedError<Code> {
  /** Always `LatchkeyError`, even in minified bundles. */
  override readonly name = 'LatchkeyError'
  /** The details for this code, such as the URL that failed. `undefined` for codes without details. */
  readonly details: ErrorDetails[Code]

  constructor(code: Code, ...[details, options]: ErrorArgs<Code>) {
    super(code, fill(options?.sentence ?? errorSentences[code as CoreErrorCode], details), options)
    this.details = details as ErrorDetails[Code]
  }
}

/**
 * Narrows `error` to a `LatchkeyError`, optionally with the given code. The page, the frame or the server can have created the
 * error.
 *
 * @example
 * if (isLatchkeyError(error, 'http/failed') && error.details.status === 429) retry(error.details.retryAfterMs)
 */
export function isLatchkeyError<Code extends ErrorCode>(error: unknown, code?: Code): error is LatchkeyError<Code> {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('details' in error)) return false
  // Other libraries use codes too, such as numbers (EIP-1193) or uppercase words (ethers). Our codes have the form
  // "part/what-happened".
  return code === undefined ? /^(unknown|[a-z-]+\/[a-z-]+)$/.test(String(error.code)) : error.code === code
}

/**
 * Converts `error` to a `LatchkeyError`. A `LatchkeyError` is returned unchanged, an abort has the code `request/aborted`, and
 * any other value has the code `unknown`. The original error is the cause.
 *
 * @example
 * const { code, message } = toLatchkeyError(error)
 */
export function toLatchkeyError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error
  const options = { cause: error }
  if (error instanceof Error && error.name === 'AbortError') {
    return new LatchkeyError('request/aborted', undefined, options)
  }
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : 'Unknown error'
  return new LatchkeyError('unknown', { message }, options)
}

/** Fills in each `{placeholder}` in `text`. `{placeholder|default}` falls back to "default". */
function fill(text: string, details: unknown): string {
  const known = (details ?? {}) as Readonly<Record<string, unknown>>
  return text.replace(/\{(\w+)\|?(.*?)\}/g, (blank, name: string, otherwise: string) =>
    String(known[name] ?? (otherwise || blank)),
  )
}
