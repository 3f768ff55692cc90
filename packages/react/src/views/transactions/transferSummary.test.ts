import type { TokenTransfer } from '@latchkey/protocol/http/chainApi'
import { expect, test } from 'vitest'
import { summarizeTransfers } from './transferSummary.ts'

const moved = (
  direction: TokenTransfer['direction'],
  numeric: string,
  symbol: string,
  more: Partial<TokenTransfer> = {},
): TokenTransfer => ({
  fungible_info: { name: symbol, symbol, icon: { url: `https://images.example/${symbol}.png` } },
  direction,
  quantity: { numeric },
  ...more,
})
const brief = (transfers: readonly TokenTransfer[]) =>
  summarizeTransfers(transfers).map(({ direction, numeric, symbol }) => `${direction} ${numeric} ${symbol}`)

test('transfers of the same token and direction are added exactly', () => {
  expect(
    brief([moved('out', '0.1', 'USDC'), moved('out', '0.2', 'USDC'), moved('out', '9007199254740993', 'USDC')]),
  ).toEqual(['out 9007199254740993.3 USDC'])
})

test('tokens with the same symbol and different contracts are not added', () => {
  const tokens = [
    moved('out', '1', 'USDC', { token: 'eip155:1:0xaa' }),
    moved('out', '2', 'USDC', { token: 'eip155:1:0xbb' }),
  ]
  expect(brief(tokens)).toEqual(['out 1 USDC', 'out 2 USDC'])
})

test('a small opposite movement of the same token is left out as a refund, a larger one is not', () => {
  expect(brief([moved('out', '1', 'ETH'), moved('in', '0.09', 'ETH')])).toEqual(['out 1 ETH'])
  expect(brief([moved('in', '0.1', 'ETH'), moved('out', '1', 'ETH')])).toEqual(['out 1 ETH', 'in 0.1 ETH'])
})

test('the two most valuable movements are kept, and the outgoing one is first', () => {
  const transfers = [
    moved('in', '5', 'AAA', { value: 50 }),
    moved('in', '1', 'DUST', { value: 0.1 }),
    moved('out', '2', 'BBB', { value: 49 }),
  ]
  expect(brief(transfers)).toEqual(['out 2 BBB', 'in 5 AAA'])
})

test('the value of several transfers of a token is their sum', () => {
  const transfers = [
    moved('in', '1', 'AAA', { value: 4 }),
    moved('in', '1', 'AAA', { value: 4 }),
    moved('in', '1', 'BBB', { value: 7 }),
    moved('in', '1', 'CCC', { value: 5 }),
  ]
  expect(brief(transfers)).toEqual(['in 2 AAA', 'in 1 BBB'])
})

test('spam and zero-amount movements are left out, and unlisted tokens have no logo', () => {
  const transfers = [
    moved('in', '1', 'FREE', { isSpam: true }),
    moved('in', '1', 'GIFT', { nft_info: { name: 'Gift', flags: { is_spam: true } } }),
    moved('out', '0', 'ETH'),
    moved('out', '0.000', 'ETH'),
    moved('out', '3', 'NEW', { isUnlisted: true }),
  ]
  expect(summarizeTransfers(transfers)).toEqual([{ direction: 'out', numeric: '3', symbol: 'NEW', isNft: false }])
})
