import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'

/** The fields of a sign-in message (EIP-4361, CAIP-122). Times are ISO 8601. */
export interface SignInFields {
  /** The scheme before the domain, if the message has one, such as `https` (EIP-4361). It must match the page's; without it only the domain is checked. */
  readonly scheme?: string
  /** The host of the requesting page, with its port if there is one, such as `shop.example`. */
  readonly domain: string
  /** The URI of the requesting page, such as `https://shop.example/login`. */
  readonly uri: string
  /** The version of the message format. `1` is the only valid one. */
  readonly version: string
  /** A random value that is used once: 8 to 128 letters and digits. */
  readonly nonce: string
  /** A CAIP-2 chain ID. */
  readonly chainId: ChainId
  /** The address that signs, without the chain. */
  readonly accountAddress: string
  /** When the message was created. Required by EIP-4361, and by `verifySignIn`, which accepts it for ten minutes. */
  readonly issuedAt?: string
  /** The time from which the message is no longer valid. Required by `verifySignIn`. */
  readonly expirationTime?: string
  /** The time before which the message is not valid. [none] */
  readonly notBefore?: string
  /** An identifier for the sign-in request. [none] */
  readonly requestId?: string
  /** The statement that the user agrees to: one line of ASCII letters, digits, spaces and URL punctuation. [none] */
  readonly statement?: string
  /** URIs that are part of the message, such as terms or a ReCap (ERC-5573). [none] */
  readonly resources?: readonly string[]
}

/** A text with its signature. Not verified. */
export interface SignedText {
  /** The claimed signer (CAIP-10). */
  readonly account: AccountId
  /** The text, exactly as it was signed. */
  readonly message: string
  /** In the usual encoding of the family: hex on eip155 and polkadot, base58 on solana, base64 on bip122, the JSON of an ADR-36 signature on cosmos. */
  readonly signature: string
}

/** Resolves to whether the account's key or contract signed the text. Invalid signatures resolve to `false`. Rejects if a node does not respond. */
export type SignatureVerifier = (signed: SignedText) => Promise<boolean>

/** The verifiers of the families that can sign in. */
export type SignatureVerifiers = Readonly<Partial<Record<Namespace, SignatureVerifier>>>

/** The expected values of a sign-in. All are required, because an omitted check enables phishing. */
export interface SignInExpected {
  /** The page's origin, such as `https://shop.example`. The domain and URI of the message are compared with it. */
  readonly origin: string
  /** The nonce that was issued for this sign-in. */
  readonly nonce: string
  /** The account and chain that should sign in. */
  readonly account: AccountId
  /** Epoch milliseconds. */
  readonly now: number
}

/** The reason why a sign-in was rejected. `unreadable`: the message does not match the standards exactly. */
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
