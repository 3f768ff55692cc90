import { tokenBalance } from '@latchkey/protocol/http/chainApi'
import { read } from '@latchkey/protocol/parseWithSchema'
import { expect, test } from 'vitest'
import { tokensOf } from './portfolioTokens.ts'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

test('the name, symbol and decimals of the network’s currency come from the host’s network, even if the server reports others', () => {
  const balance = {
    name: 'USD Coin',
    symbol: 'USDC',
    chainId: 'eip155:1',
    price: 1,
    quantity: { decimals: '20', numeric: '0.05' },
    iconUrl: '',
  }
  const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  expect(tokensOf([balance], { chain: 'eip155:1', currency, now: 0 })).toMatchObject([
    { id: 'native', name: 'Ether', symbol: 'ETH', decimals: 18, amount: 50_000_000_000_000_000n },
  ])
})

test('a token that is listed twice is shown once, as in the first entry', () => {
  const coin = {
    name: 'USD Coin',
    symbol: 'USDC',
    chainId: 'eip155:1',
    address: `eip155:1:0x${'aa'.repeat(20)}`,
    price: 1,
    quantity: { decimals: '6', numeric: '5' },
    iconUrl: '',
  }
  const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const twice = [coin, { ...coin, quantity: { decimals: '6', numeric: '900' } }]
  expect(tokensOf(twice, { chain: 'eip155:1', currency, now: 0 })).toMatchObject([
    { symbol: 'USDC', amount: 5_000_000n },
  ])
})

test.each([
  ['the currency of another chain', { chainId: 'eip155:10' }],
  ['a token that is on another chain', { chainId: 'eip155:10', address: `eip155:10:0x${'aa'.repeat(20)}` }],
  ['a token whose address is on another chain', { address: `eip155:10:0x${'aa'.repeat(20)}` }],
  ['a token that claims to be on the chain', { chainId: 'eip155:1', address: `eip155:10:0x${'aa'.repeat(20)}` }],
])('%s is omitted', (_, on) => {
  const quantity = { decimals: '18', numeric: '5' }
  const balance = { name: 'Ether', symbol: 'ETH', price: 1, quantity, iconUrl: '', ...on }
  const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  expect(tokensOf([balance], { chain: 'eip155:1', currency, now: 0 })).toEqual([])
})

test.each([
  ['So11111111111111111111111111111111111111111', 'native'],
  ['So11111111111111111111111111111111111111112', 'native'],
  [`${solana}:So11111111111111111111111111111111111111112`, `${solana}:So11111111111111111111111111111111111111112`],
])('the plain IDs that other servers use for SOL are recognized, but wrapped SOL is a token: %s', (address, id) => {
  const quantity = { decimals: '9', numeric: '2.5' }
  const entry = { name: 'Solana', symbol: 'SOL', chainId: solana, address, price: 100, quantity, iconUrl: '' }
  const currency = { name: 'Solana', symbol: 'SOL', decimals: 9 }
  const balances = [read(tokenBalance, entry)].flatMap((balance) => balance ?? [])
  expect(tokensOf(balances, { chain: solana, currency, now: 0 })).toMatchObject([{ id, amount: 2_500_000_000n }])
})
