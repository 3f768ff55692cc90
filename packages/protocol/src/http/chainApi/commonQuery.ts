import type { Identity } from '../url.ts'

/** The query parameters of every request to the chain API. */
export interface ChainQuery extends Identity {
  /** The relay client's ID (`did:key`), if the page uses WalletConnect. Latchkey's server ignores it. */
  readonly clientId?: string | undefined
  /** The plain address of the active account, which some endpoints send. Latchkey's server ignores it. */
  readonly sender?: string | undefined
}
