import { addDecimals } from '@latchkey/protocol/amount'
import type { Token } from './portfolioTypes.ts'

/** The value of all tokens that are not hidden. */
export interface PortfolioTotal {
  /** The value in US dollars, as exact decimal text. Absent if no price is known. */
  readonly fiat?: string
  /** The number of tokens with a balance that are not included because their price is unknown. */
  readonly withoutPrice: number
  /** The sources of the prices, such as `uniswap-v3`. Empty if the server does not report them. */
  readonly sources: readonly string[]
  /** When the oldest of the prices was determined, in epoch milliseconds. Absent if no price is known. */
  readonly pricedAt?: number
}

/** Returns the value of all tokens that are not hidden, with the sources and the age of the prices. */
export function portfolioTotal(tokens: readonly Token[]): PortfolioTotal {
  const owned = tokens.filter(({ hidden, amount }) => hidden === undefined && amount > 0n)
  const priced = owned.flatMap(({ fiat, price }) =>
    fiat === undefined || price === undefined ? [] : [{ fiat, price }],
  )
  const withoutPrice = owned.length - priced.length
  return {
    ...((priced.length > 0 || withoutPrice === 0) && { fiat: addDecimals(priced.map(({ fiat }) => fiat)) }),
    withoutPrice,
    sources: [...new Set(priced.flatMap(({ price }) => price.source ?? []))],
    ...(priced.length > 0 && { pricedAt: Math.min(...priced.map(({ price }) => price.at)) }),
  }
}
