import type { ChainConfig, ListedToken } from '../chainConfig.ts'

/** The balance of a token on a chain, in base units. */
export interface Holding {
  /** The token. `undefined` for the native currency. */
  readonly token: HeldToken | undefined
  readonly amount: bigint
}

/** A token that an account holds. Its name and symbol are safe to display. */
export interface HeldToken extends ListedToken {
  readonly isUnlisted?: boolean
}

/** Reads the holdings of an account on the chains of a family. */
export interface HoldingsReader {
  /** Resolves to the holdings that are not zero, with the native currency first. */
  holdings(chain: ChainConfig, address: string, signal: AbortSignal): Promise<readonly Holding[]>
  /**
   * Resolves to the holdings of the given tokens, including zero balances. `undefined` represents the native currency. Addresses
   * that are not tokens are omitted.
   */
  tokens(
    chain: ChainConfig,
    address: string,
    tokens: readonly (string | undefined)[],
    signal: AbortSignal,
  ): Promise<readonly Holding[]>
}
