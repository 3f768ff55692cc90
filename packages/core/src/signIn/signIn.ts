import type { AccountId, ChainId } from '@latchkey/protocol/caip'

/** What a sign-in message says (R3.10); times are ISO 8601. */
export interface SignInFields {
  readonly domain: string
  readonly uri: string
  readonly version: string
  readonly nonce: string
  readonly chainId: ChainId
  readonly accountAddress: string
  readonly issuedAt?: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly statement?: string
  readonly resources?: readonly string[]
}

/** A proof of sign-in (R3.9). */
export interface SignInSession {
  readonly data: SignInFields
  /** The text that was signed. */
  readonly message: string
  readonly signature: string
  /** As it came from a wallet that signed as it connected (CAIP-74). */
  readonly cacao?: unknown
}

/** Who gives the words of a sign-in, checks what was signed, and keeps it. */
export interface SignInKeeper {
  /** What to sign. `account` is unknown when a wallet is asked to sign as it connects. */
  createMessage(asked: {
    readonly account?: AccountId
    readonly chain: ChainId
  }): Promise<Omit<SignInFields, 'chainId' | 'accountAddress'>>
  /** Verifies all of them and keeps them, or none: rejects when one is not valid. */
  setSessions(sessions: readonly SignInSession[]): Promise<void>
}
