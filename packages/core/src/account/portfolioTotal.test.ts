import { expect, test } from 'vitest'
import { portfolioTotal } from './portfolioTotal.ts'
import type { Token } from './portfolioTypes.ts'

const token = (more: Partial<Token>): Token => ({
  id: 'native',
  chain: 'eip155:1',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  amount: 1n,
  ...more,
})
const worth = (fiat: string, at: number, source?: string) => ({
  fiat,
  price: { amount: '1', at, ...(source && { source }) },
})

test('portfolioTotal adds the values exactly, with the sources and the time of the oldest price', () => {
  const tokens = [
    token(worth('0.1', 30, 'uniswap-v3')),
    token(worth('0.2', 20, 'stablecoin')),
    token(worth('9007199254740993', 40)),
  ]
  expect(portfolioTotal(tokens)).toEqual({
    fiat: '9007199254740993.3',
    withoutPrice: 0,
    sources: ['uniswap-v3', 'stablecoin'],
    pricedAt: 20,
  })
})

test('portfolioTotal ignores hidden tokens, and counts tokens without a price only if they have a balance', () => {
  const tokens = [
    token(worth('5', 10)),
    token({ ...worth('1000000', 1), hidden: 'spam' }),
    token({ hidden: 'unlisted' }),
    token({}),
    token({ amount: 0n }),
  ]
  expect(portfolioTotal(tokens)).toEqual({ fiat: '5', withoutPrice: 1, sources: [], pricedAt: 10 })
})

test('portfolioTotal has no value if no price is known, and zero if there are no balances', () => {
  expect(portfolioTotal([token({})])).toEqual({ withoutPrice: 1, sources: [] })
  expect(portfolioTotal([])).toEqual({ fiat: '0', withoutPrice: 0, sources: [] })
})
