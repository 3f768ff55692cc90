import type { TokenBalance } from '@latchkey/protocol/http/chainApi'
import { expect, test } from 'vitest'
import { completeAssets } from './walletAssets.ts'

const balance = (change: Partial<TokenBalance> = {}): TokenBalance => ({
  name: 'USD Coin',
  symbol: 'USDC',
  chainId: 'eip155:1',
  address: `eip155:1:0x${'bb'.repeat(20)}`,
  price: 0,
  quantity: { decimals: '18', numeric: '900' },
  iconUrl: '',
  ...change,
})
const native = balance({ name: 'Ether', symbol: 'ETH', address: undefined })

test('an unlisted token stays unlisted if the wallet reports other decimal places', () => {
  const unlisted = balance({ isUnlisted: true, quantity: { decimals: '6', numeric: '1' } })
  expect(completeAssets([balance()], [unlisted])).toEqual([balance({ isUnlisted: true })])
  expect(completeAssets([balance()], [{ ...unlisted, isUnlisted: undefined }])).toEqual([balance()])
})

test('a token that only the wallet reports is unlisted, and the network’s currency is not', () => {
  expect(completeAssets([native, balance()], [])).toEqual([native, balance({ isUnlisted: true })])
})

test('if the server did not respond, it is not known which tokens are unlisted', () => {
  expect(completeAssets([native, balance()], undefined)).toEqual([native, balance()])
})
