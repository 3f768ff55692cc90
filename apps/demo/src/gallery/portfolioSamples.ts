import type { PendingTransaction, PortfolioState, State, Token, TransactionsState } from '@latchkey/core'
import { fakePortfolio, fakeTransactions } from '@latchkey/core/testing'
import { address, picture, withBalance, withConnection } from './samples.ts'

type HistoryTransaction = TransactionsState['transactions'][number]
type TokenTransfer = HistoryTransaction['transfers'][number]

const account = `eip155:1:${address}` as const
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const now = Date.now()

/** Options that configure a server, and therefore the chain API. */
export const server = { server: 'https://connect.shop.example', projectId: 'shop' }

const token = (symbol: string, name: string, more: Partial<Token>): Token => ({
  id: `eip155:1:${symbol}`,
  chain: 'eip155:1',
  address: `0x${symbol}`,
  name,
  symbol,
  decimals: 18,
  amount: 0n,
  ...more,
})
const priced = (fiat: string, minutes = 2, source = 'uniswap-v3'): Partial<Token> => ({
  fiat,
  price: { amount: '1', source, at: now - minutes * minuteMs },
})

const ether = token('ETH', 'Ether', {
  id: 'native',
  amount: 1_234_567_890_123_456_789n,
  iconUrl: picture('#8a92b2', '#454a75', 'Ξ'),
  ...priced('4938.27'),
})
const dollars = token('USDC', 'USD Coin', {
  decimals: 6,
  amount: 812_340_000n,
  iconUrl: picture('#2775ca', '#1b5aa0', '$'),
  ...priced('812.34', 2, 'stablecoin'),
})
const loaf = token('LOAF', 'Bakery Loaf', { amount: 42n * 10n ** 18n })
const dust = token('DUST', 'Dust', { amount: 12n, ...priced('0.0001') })
const old = token('OLD', 'Old Price Token', { amount: 3n * 10n ** 18n, ...priced('31.5', 25) })
const long = token('SUPERCALIFRAGILISTIC', 'The Token With a Name That Does Not End Before the Row Ends', {
  amount: 123_456_789_012_345_678_901_234_567_890n,
  ...priced('123456789012.34'),
})

/** The tokens of an account. `hidden` ones are last. */
export const tokens: readonly Token[] = [
  ether,
  dollars,
  old,
  loaf,
  dust,
  token('BREAD', 'Bread Reward', { amount: 5n * 10n ** 18n, hidden: 'unlisted' }),
  token('USDС', 'claim at usdc-gift.example', { amount: 10_000n * 10n ** 18n, hidden: 'spam' }),
]
/** The tokens of an account with long names and large amounts. */
export const longTokens: readonly Token[] = [long, ether]
/** The tokens of an account with five hundred tokens. */
export const manyTokens: readonly Token[] = Array.from({ length: 500 }, (_, at) =>
  token(`T${at}`, `Token ${at}`, { amount: BigInt(500 - at) * 10n ** 18n, ...priced(String(500 - at)) }),
)

/** A portfolio with `tokens`. */
export const owning = (value: readonly Token[]): ReturnType<typeof fakePortfolio> =>
  fakePortfolio({ account, tokens: { status: 'ready', value } })
/** A portfolio in a given state. */
export const portfolio = (state: PortfolioState['tokens']): ReturnType<typeof fakePortfolio> =>
  fakePortfolio({ account, tokens: state })

const moved = (
  direction: TokenTransfer['direction'],
  numeric: string,
  symbol: string,
  more: Partial<TokenTransfer> = {},
): TokenTransfer => ({ fungible_info: { name: symbol, symbol, icon: null }, direction, quantity: { numeric }, ...more })

/** Creates a transaction that was mined `days` ago. */
export function transaction(
  operationType: string,
  days: number,
  transfers: readonly TokenTransfer[],
  more: Partial<HistoryTransaction['metadata']> = {},
): HistoryTransaction {
  const hash = `0x${operationType}${days}`
  return {
    id: hash,
    metadata: {
      operationType,
      hash,
      minedAt: new Date(now - days * dayMs - 5 * minuteMs).toISOString(),
      sentFrom: address,
      sentTo: '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C',
      status: 'confirmed',
      chain: 'eip155:1',
      ...more,
    },
    transfers,
  }
}

const gift = { name: 'Baker #12', content: { preview: { url: picture('#f5b301', '#b45309', '🥐') } } }

/** Transactions of every kind. */
export const transactions: readonly HistoryTransaction[] = [
  transaction('send', 0, [moved('out', '12.5', 'USDC')]),
  transaction('receive', 1, [moved('in', '0.25', 'ETH')], { sentFrom: '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C' }),
  transaction('trade', 3, [moved('out', '1', 'ETH'), moved('in', '3998.2', 'USDC')], {
    application: { name: 'Uniswap', iconUrl: null },
  }),
  transaction('approve', 4, [moved('out', '0', 'ETH')], { application: { name: 'Uniswap', iconUrl: null } }),
  transaction('send', 20, [moved('out', '7', 'ETH')], { status: 'failed' }),
  transaction('mint', 45, [{ direction: 'in', quantity: { numeric: '1' }, nft_info: gift }]),
  transaction('execute', 60, [moved('out', '0', 'ETH')]),
  transaction('receive', 400, [moved('in', '123456789012.123456', 'SUPERCALIFRAGILISTIC')]),
]
/** A transaction in which an address that resembles a known one sent nothing. */
export const poison: HistoryTransaction = transaction('receive', 2, [moved('in', '0', 'USDC', { isSpam: true })], {
  sentFrom: '0x1aE0000000000000000000000000000000009E454C'.slice(0, 42),
})

/** A history in a given state. */
export function history(
  list: readonly HistoryTransaction[],
  more: Partial<TransactionsState> = {},
  actions: Parameters<typeof fakeTransactions>[1] = {},
): ReturnType<typeof fakeTransactions> {
  const years = [...new Set(list.map(({ metadata }) => new Date(metadata.minedAt).getFullYear()))]
  const monthOf = ({ metadata }: HistoryTransaction) => new Date(metadata.minedAt).getMonth()
  return fakeTransactions(
    {
      account,
      chain: 'eip155:1',
      transactions: list,
      transactionsByYear: years.map((year) => {
        const own = list.filter(({ metadata }) => new Date(metadata.minedAt).getFullYear() === year)
        return {
          year,
          months: [...new Set(own.map(monthOf))].map((month) => ({
            month,
            transactions: own.filter((one) => monthOf(one) === month),
          })),
        }
      }),
      empty: list.length === 0,
      ...more,
    },
    actions,
  )
}

/** Transactions that the page sent: one pending, one confirmed and one failed. */
export const activity: readonly PendingTransaction[] = [
  { hash: '0xaaa1', label: 'Order 1042', chain: 'eip155:1', account, addedAt: now - 5_000, status: 'pending' },
  { hash: '0xaaa2', label: 'Send 5 USDC', chain: 'eip155:1', account, addedAt: now - minuteMs, status: 'done' },
  { hash: '0xaaa3', label: 'Order 1041', chain: 'eip155:1', account, addedAt: now - 9 * minuteMs, status: 'failed' },
]

/** A state in which the account has a balance and sent transactions. */
export function withActivity(state: State): State {
  return { ...withBalance(withConnection(state), 1_234_567_890_123_456_789n), activity }
}
