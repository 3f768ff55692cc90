import { compareSymbols } from '../account/compareSymbols.ts'
import type { TokenPrice } from '../account/portfolioTypes.ts'
import type { SwapContext } from './swapContext.ts'
import { keyOf } from './swapTokens.ts'
import type { SwapToken } from './swapTypes.ts'

/** The prices of tokens, and the values that their contracts report. */
export interface TokenPricesAndContracts {
  /** The prices by the keys of the tokens. */
  readonly prices: ReadonlyMap<string, TokenPrice>
  /**
   * Returns the token, marked with `mismatch` if its contract reports different decimal places than the server, or the symbol of
   * another token, and with `unverified` if it did not report them. Tokens that have not been read are not marked.
   */
  mark(token: SwapToken): SwapToken
  /**
   * Reads the missing values of the tokens. Never rejects. Values that cannot be read stay unknown, and are read again next
   * time.
   */
  readMissing(tokens: readonly SwapToken[]): Promise<void>
  /** Clears the values after a network change. */
  clear(): void
}

/** The values that a token's contract reports. A value is `undefined` if it could not be read. */
interface ContractFacts {
  readonly decimals: number | undefined
  readonly symbol: string | undefined
}

/** Creates the reader for token prices, and for the decimal places and symbols that contracts report. */
export function createTokenPricesAndContracts({
  server,
  tokenDecimals,
  tokenSymbol,
  log,
}: Pick<SwapContext, 'server' | 'tokenDecimals' | 'tokenSymbol' | 'log'>): TokenPricesAndContracts {
  const prices = new Map<string, TokenPrice>()
  const contracts = new Map<string, ContractFacts>()

  async function readPrices(tokens: readonly SwapToken[]): Promise<void> {
    const missing = tokens.filter(({ price, id }) => !price && !prices.has(keyOf(id)))
    try {
      for (const [id, price] of await server.prices(missing)) prices.set(id, price)
    } catch (error) {
      log.info('Unable to read the prices', error)
    }
  }

  async function readContract({ id, address }: SwapToken): Promise<void> {
    if (address === undefined) return
    const known = contracts.get(keyOf(id))
    const attempt = <Value>(read: () => Promise<Value | undefined>): Promise<Value | undefined> =>
      read().catch((error: unknown) => void log.info('Unable to read a token', error))
    const [decimals, symbol] = await Promise.all([
      known?.decimals ?? attempt(() => tokenDecimals(address)),
      known?.symbol ?? attempt(() => tokenSymbol(address)),
    ])
    contracts.set(keyOf(id), { decimals, symbol })
  }

  return {
    prices,
    mark(token) {
      const found = contracts.get(keyOf(token.id))
      if (!found) return token
      const { decimals, symbol } = found
      const symbols = compareSymbols(token, symbol)
      if ((decimals ?? token.decimals) !== token.decimals || symbols === 'different')
        return { ...token, mismatch: true }
      if (decimals === undefined) return { ...token, unverified: 'decimals' }
      return symbols === 'same' ? token : { ...token, unverified: 'symbol' }
    },
    readMissing: async (tokens) => void (await Promise.all([readPrices(tokens), ...tokens.map(readContract)])),
    clear() {
      prices.clear()
      contracts.clear()
    },
  }
}
