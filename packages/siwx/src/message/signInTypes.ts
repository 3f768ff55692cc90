import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'

/** The fields of a sign-in message (EIP-4361, CAIP-122). Times are RFC 3339 date-times. */
export interface SignInFields {
  /**
   * The scheme before the domain, such as `https` (EIP-4361). It must match the page's scheme. If absent, only the domain is
   * checked.
   */
  readonly scheme?: string
  /** The host of the requesting page, with its port if there is one, such as `shop.example`. */
  readonly domain: string
  /** The URI of the requesting page, such as `https://shop.example/login`. */
  readonly uri: string
  /** The version of the message format. Only `1` is valid. */
  readonly version: string
  /** A random value that can be used only once: 8 to 128 letters and digits. */
  readonly nonce: string
  /** A CAIP-2 chain ID. */
  readonly chainId: ChainId
  /** The address that signs the message, without the chain. */
  readonly accountAddress: string
  /**
   * When the message was created. Required by EIP-4361 and by `verifySignIn`, which accepts a message for ten minutes after this
   * time.
   */
  readonly issuedAt?: string
  /** The time from which the message is no longer valid. Required by `verifySignIn`. */
  readonly expirationTime?: string
  /** The time before which the message is not valid. Optional. */
  readonly notBefore?: string
  /** An identifier for the sign-in request. Optional. */
  readonly requestId?: string
  /** The statement that the user agrees to: one line of ASCII letters, digits, spaces and URL punctuation. Optional. */
  readonly statement?: string
  /** URIs that the message refers to, such as a link to the terms of service or a ReCap (ERC-5573). Optional. */
  readonly resources?: readonly string[]
}

/** A message and its signature, which has not been verified yet. */
export interface SignedText {
  /** The claimed signer (CAIP-10). */
  readonly account: AccountId
  /** The message, exactly as it was signed. */
  readonly message: string
  /**
   * The signature in the namespace's usual encoding: hex on eip155 and polkadot, base58 on solana, base64 on bip122, JSON
   * (ADR-36) on cosmos.
   */
  readonly signature: string
}

/**
 * Verifies a signature. Resolves to `false` if the account's key or contract did not sign the message. Rejects if a node does
 * not respond.
 */
export type SignatureVerifier = (signed: SignedText) => Promise<boolean>

/** The verifiers for the namespaces that can sign in. */
export type SignatureVerifiers = Readonly<Partial<Record<Namespace, SignatureVerifier>>>

/** The values that a sign-in is checked against. All of them are required, because omitting a check enables phishing. */
export interface SignInExpected {
  /** The page's origin, such as `https://shop.example`. The message's domain and URI must match it. */
  readonly origin: string
  /** The nonce that was issued for this sign-in. */
  readonly nonce: string
  /** The account that should sign in, including its chain (CAIP-10). */
  readonly account: AccountId
  /** The current time in epoch milliseconds. */
  readonly now: number
}

/**
 * The reason why a sign-in was rejected. `unreadable` means that the message does not match the standards exactly or is too long,
 * or that the expected account is not a CAIP-10 account.
 */
export type SignInRefusal =
  | 'unreadable'
  | 'domain'
  | 'uri'
  | 'version'
  | 'nonce'
  | 'chain'
  | 'account'
  | 'issued-later'
  | 'issued-long-ago'
  | 'expired'
  | 'lives-too-long'
  | 'not-yet-valid'
  | 'signature'

/** The result of verifying a sign-in. */
export type SignInVerdict =
  | { readonly ok: true; readonly fields: SignInFields }
  | { readonly ok: false; readonly reason: SignInRefusal }
