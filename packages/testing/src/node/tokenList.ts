import type { LocalChain } from '../localChain.ts'
import type { TestToken } from './testToken.ts'

/** A token list (https://tokenlists.org). */
export interface TokenList {
  /** The name of the list. */
  readonly name: string
  /** When the list was published, as an ISO 8601 date. */
  readonly timestamp: string
  /** The semantic version of the list. */
  readonly version: { readonly major: number; readonly minor: number; readonly patch: number }
  /** The tokens of the list. */
  readonly tokens: readonly {
    readonly chainId: number
    readonly address: `0x${string}`
    readonly name: string
    readonly symbol: string
    readonly decimals: number
    readonly logoURI?: string
    readonly extensions?: { readonly eip2612: boolean }
  }[]
}

/** Creates a token list of `tokens` on a chain. */
export function tokenListOf({
  chain,
  tokens,
}: {
  chain: LocalChain
  tokens: readonly (TestToken & { readonly eip2612?: boolean; readonly logoURI?: string })[]
}): TokenList {
  return {
    name: `Tokens of ${chain.name}`,
    timestamp: '2026-11-24T00:00:00.000Z',
    version: { major: 1, minor: 0, patch: 0 },
    tokens: tokens.map(({ address, name, symbol, decimals, eip2612, logoURI }) => ({
      chainId: chain.id,
      address,
      name,
      symbol,
      decimals,
      ...(logoURI === undefined ? {} : { logoURI }),
      ...(eip2612 === undefined ? {} : { extensions: { eip2612 } }),
    })),
  }
}
