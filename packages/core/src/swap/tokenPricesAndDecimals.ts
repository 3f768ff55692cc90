import type { TokenPrice } from '../account/portfolioTypes.ts'
import type { SwapContext } from './swapContext.ts'
import { keyOf } from './swapTokens.ts'
import type { SwapToken } from './swapTypes.ts'

/** The prices of tokens, and the decimal places that their contracts report. */
export interface TokenPricesAndDecimals {
  /** The prices by the keys of the tokens. */
  readonly prices: ReadonlyMap<string, TokenPrice>
  /** Returns the token, marked with `mismatch` if its contract reports different decimal places than the server. */
  mark(token: SwapToken): SwapToken
  /** Reads the missing prices and decimal places. Never rejects. Values that cannot be read stay unknown. */
  readMissing(tokens: readonly SwapToken[]): Promise<void>
  /** Clears the values after a network change. */
  clear(): void
}

/** Creates the reader for token prices and decimal places. */
export function createTokenPricesAndDecimals({
  server,
  tokenDecimals,
  log,
}: Pick<SwapContext, 'server' | 'tokenDecimals' | 'log'>): TokenPricesAndDecimals {
  const prices = new Map<string, TokenPrice>()
  const decimals = new Map<string, number>()

  async function readPrices(tokens: readonly SwapToken[]): Promise<void> {
    const missing = tokens.filter(({ price, id }) => !price && !prices.has(keyOf(id)))
    try {
      for (const [id, price] of await server.prices(missing)) prices.set(id, price)
    } catch (error) {
      log.info('Unable to read the prices', error)
    }
  }

  async function readDecimals({ id, address }: SwapToken): Promise<void> {
    if (address === undefined || decimals.has(keyOf(id))) return
    try {
      const found = await tokenDecimals(address)
      if (found !== undefined) decimals.set(keyOf(id), found)
    } catch (error) {
      log.info('Unable to read the decimal places of a token', error)
    }
  }

  return {
    prices,
    mark(token) {
      const found = decimals.get(keyOf(token.id))
      return found !== undefined && found !== token.decimals ? { ...token, mismatch: true } : token
    },
    readMissing: async (tokens) => void (await Promise.all([readPrices(tokens), ...tokens.map(readDecimals)])),
    clear() {
      prices.clear()
      decimals.clear()
    },
  }
}
