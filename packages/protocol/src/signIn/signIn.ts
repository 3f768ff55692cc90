import type { AccountId, ChainId, Namespace } from '../caip.ts'

/** What a sign-in message says (EIP-4361, CAIP-122); times are ISO 8601. */
export interface SignInFields {
  /** Where the message names it before the domain, `https` (EIP-4361). It has to be the page's; without one the domain alone counts. */
  readonly scheme?: string
  /** The host of whoever asks, with its port where it has one: `shop.example`. */
  readonly domain: string
  readonly uri: string
  readonly version: string
  readonly nonce: string
  /** CAIP-2. */
  readonly chainId: ChainId
  readonly accountAddress: string
  readonly issuedAt?: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly statement?: string
  readonly resources?: readonly string[]
}

/** A text that somebody is said to have signed. */
export interface SignedText {
  readonly account: AccountId
  readonly message: string
  /** As that family writes it: hex on eip155 and polkadot, base58 on solana, base64 on bip122, the JSON of an ADR-36 signature on cosmos. */
  readonly signature: string
}

/** Whether the key or contract of the account signed it. A node that does not answer is a rejection; a signature that is none is a no. */
export type SignatureVerifier = (signed: SignedText) => Promise<boolean>

/** One for each family that may sign in. */
export type SignatureVerifiers = Readonly<Partial<Record<Namespace, SignatureVerifier>>>

/** Whom and what a proof has to be for. None of it may be left out: whoever forgets one lets a phisher in. */
export interface SignInExpected {
  /** The origin of the page, `https://shop.example`: the message's domain and URI are held against it. */
  readonly origin: string
  readonly nonce: string
  /** Who is to sign in, where. */
  readonly account: AccountId
  /** Epoch milliseconds. */
  readonly now: number
}

/** Why a message is not one to believe. `unreadable`: not written as the standards write it, letter for letter. */
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

/** Whether to believe a sign-in. */
export type SignInVerdict =
  | { readonly ok: true; readonly fields: SignInFields }
  | { readonly ok: false; readonly reason: SignInRefusal }
