import type { SwapQuote, SwapReview, SwapState, SwapToken } from '@latchkey/core'
import { fakeFailure, fakeSwap } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import { address, withConnection } from '../samples.ts'

const account = `eip155:1:${address}` as const
const hash = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060'
const router = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
const at = Date.now()

const token = (symbol: string, name: string, more: Partial<SwapToken> = {}): SwapToken => {
  const contract = `0x${[...symbol].map((letter) => letter.charCodeAt(0).toString(16)).join('')}`.padEnd(42, '0')
  return { id: `eip155:1:${contract}`, chain: 'eip155:1', address: contract, name, symbol, decimals: 18, ...more }
}
const ether: SwapToken = {
  id: 'native',
  chain: 'eip155:1',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  balance: 1_204_500_000_000_000_000n,
  price: { amount: '2961.47', source: 'uniswap-v3', at },
}
const dollar = token('USDC', 'USD Coin', {
  decimals: 6,
  balance: 812_340_000n,
  price: { amount: '1', source: 'stablecoin', at },
})
const tether = token('USDT', 'Tether USD', { decimals: 6, balance: 50_000_000n, price: { amount: '1', at } })
const points = token('POINTS', 'Loyalty Points of the Neighborhood Bakery', { balance: 123_456_789_012_345_678n })
const imitation = token('USDC', 'USD Coin', { id: 'eip155:1:0xf', address: `0x${'f'.repeat(40)}`, unlisted: true })
const others = ['DAI', 'WETH', 'WBTC', 'UNI', 'LINK', 'AAVE', 'ARB', 'OP', 'MKR', 'SNX'].map((symbol) =>
  token(symbol, `${symbol} token`, { balance: 0n }),
)
const all = [...others, ether, dollar, tether, points, { ...imitation, balance: 1n, symbol: 'USDC' }].sort((a, b) =>
  a.symbol.localeCompare(b.symbol, 'en'),
)
const tokens: SwapState['tokens'] = {
  status: 'ready',
  value: { all, own: [ether, dollar, tether, points], suggested: [ether, dollar, tether, ...others.slice(0, 5)] },
}

const quote = (change: Partial<SwapQuote> = {}): SwapQuote => ({
  from: ether,
  to: dollar,
  amount: 500_000_000_000_000_000n,
  received: 1_479_302_115n,
  minimum: 1_464_509_093n,
  rate: '2958.60423',
  impactBps: 9,
  networkFee: 1_500_000_000_000_000n,
  networkFeeFiat: '4.44',
  at,
  ...change,
})
/** Returns a quote for 500 of a stablecoin. */
const reverse = (from: SwapToken): SwapQuote =>
  quote({
    from,
    to: ether,
    amount: 500_000_000n,
    received: 168_845_000_000_000_000n,
    minimum: 167_156_550_000_000_000n,
  })
const form = {
  account,
  chain: 'eip155:1',
  supported: true,
  tokens,
  from: ether,
  to: dollar,
  amount: '0.5',
  quote: { status: 'ready', value: quote() },
} as const satisfies Partial<SwapState>
const showing = (state: Partial<SwapState> = {}) => ({
  state: withConnection,
  swap: fakeSwap({ ...form, ...state }),
})
const reviewing = (change: Partial<SwapReview> = {}, state: Partial<SwapState> = {}) =>
  showing({
    ...state,
    review: {
      account,
      quote: quote(),
      status: 'ready',
      step: 'swap',
      hasApproval: false,
      contract: router,
      unverified: [],
      unverifiedConfirmed: false,
      hasWorsened: false,
      error: undefined,
      ...change,
    },
  })
const unreachable = fakeFailure('http/unreachable', { url: 'https://connect.shop.example' })
const idle = { status: 'idle' } as const

/** The views for swapping tokens. */
export const swapStates: readonly GalleryEntry[] = [
  ...statesOf(
    'Swap',
    undefined,
    {
      default: showing(),
      loading: { state: withConnection, swap: fakeSwap({ supported: undefined, tokens: { status: 'loading' } }) },
      'not loaded': { state: withConnection },
      'network not supported': showing({ supported: false, tokens: idle }),
      'no tokens loaded': showing({
        tokens: { status: 'failed', error: fakeFailure('swap/not-loaded', undefined) },
        from: undefined,
        to: undefined,
        quote: idle,
      }),
      'no token': showing({ to: undefined, amount: '', quote: idle, problem: 'no-token' }),
      'no amount': showing({ amount: '', quote: idle, problem: 'no-amount' }),
      quoting: showing({ quote: { status: 'loading' } }),
      'insufficient balance': showing({ amount: '12', problem: 'insufficient-balance' }),
      'insufficient gas': showing({ amount: '1.2045', problem: 'insufficient-gas' }),
      'no liquidity': showing({
        quote: { status: 'failed', error: fakeFailure('swap/no-liquidity', undefined) },
        problem: 'no-liquidity',
      }),
      'server down': showing({ quote: { status: 'failed', error: unreachable }, problem: 'no-quote' }),
      'price impact': showing({ quote: { status: 'ready', value: quote({ impactBps: 240 }) } }),
      'high price impact': showing({ quote: { status: 'ready', value: quote({ impactBps: 1_840 }) } }),
      'unlisted token': showing({
        to: imitation,
        quote: { status: 'ready', value: quote({ to: imitation, impactBps: undefined }) },
      }),
      'contradicting token': showing({ quote: idle, problem: 'token-mismatch' }),
      'in progress': reviewing({ status: 'pending', hash }),
      'may have been sent': showing({ unconfirmed: true }),
      'long content': showing({
        from: points,
        amount: '123456789012.345678901234567891',
        quote: { status: 'ready', value: quote({ from: points, received: 123_456_789_012_345_678n }) },
      }),
    },
    'Account',
  ),
  ...statesOf(
    'SwapSelectToken',
    { side: 'to' },
    {
      default: showing(),
      loading: showing({ tokens: { status: 'loading' } }),
      failed: showing({ tokens: { status: 'failed', error: unreachable } }),
      search: { ...showing(), typed: 'usd' },
      'nothing found': { ...showing(), typed: 'zzz' },
      empty: showing({ tokens: { status: 'ready', value: { all: [], own: [], suggested: [] } } }),
    },
    'Swap',
  ),
  ...statesOf(
    'SwapPreview',
    undefined,
    {
      default: reviewing(),
      preparing: reviewing({ status: 'preparing', step: undefined, contract: undefined }),
      approve: reviewing({ step: 'approve', quote: reverse(dollar) }),
      reset: reviewing({ step: 'reset', quote: reverse(tether) }),
      'many digits': reviewing({
        quote: quote({ from: dollar, to: ether, amount: 1n, received: 333_667_000_000n, minimum: 330_330_000_000n }),
      }),
      'operator’s fee': reviewing({
        quote: quote({ fee: { bps: 85, amount: 12_574_067n, recipient: router } }),
      }),
      'price changed': reviewing({ hasWorsened: true }),
      'price impact': reviewing({ quote: quote({ impactBps: 240 }) }),
      'high price impact': reviewing({ quote: quote({ impactBps: 1_840 }) }),
      'unknown value': reviewing({ quote: quote({ impactBps: undefined }) }),
      'unknown contract': reviewing({ unverified: ['contract'] }),
      'not verified': reviewing({ unverified: ['call'] }),
      'unverified token': reviewing({ unverified: ['decimals', 'symbol'] }),
      'not reviewed': showing(),
      'approval declined': reviewing({
        step: 'approve',
        quote: reverse(dollar),
        error: fakeFailure('user/rejected', { request: 'eth_sendTransaction' }),
      }),
      'swap declined after the approval': reviewing({
        quote: reverse(dollar),
        hasApproval: true,
        error: fakeFailure('user/rejected', { request: 'eth_sendTransaction' }),
      }),
      'approval reverted': reviewing({
        step: 'approve',
        quote: reverse(dollar),
        error: fakeFailure('swap/reverted', { hash }),
      }),
      'server down': reviewing({ step: undefined, error: fakeFailure('swap/approval-failed', undefined) }),
      'wallet does not respond': reviewing({
        error: fakeFailure('wallet/unresponsive', { connectorId: 'example.marlin' }),
      }),
      'network not supported': reviewing({ error: fakeFailure('swap/unsupported-network', undefined) }),
      'insufficient balance': reviewing({ error: fakeFailure('swap/insufficient-balance', undefined) }),
      declined: reviewing({ error: fakeFailure('user/rejected', { request: 'eth_sendTransaction' }) }),
      'not prepared': reviewing({ step: undefined, error: fakeFailure('swap/build-failed', undefined) }),
      'price too old': reviewing({ error: fakeFailure('swap/outdated', undefined) }),
      'insufficient gas': reviewing({ error: fakeFailure('swap/insufficient-gas', { symbol: 'ETH' }) }),
      'may have been sent': reviewing({ error: fakeFailure('swap/unconfirmed', undefined) }, { unconfirmed: true }),
      confirming: reviewing({ status: 'confirming' }),
      approving: reviewing({ status: 'pending', step: 'approve', quote: reverse(dollar), hash }),
      pending: reviewing({ status: 'pending', hash }),
      done: reviewing({ status: 'done', hash }),
      reverted: reviewing({ status: 'failed', hash, error: fakeFailure('swap/reverted', { hash }) }),
      'account changed': reviewing({ status: 'stopped', error: fakeFailure('swap/changed', undefined) }),
      'outcome unknown': reviewing({ status: 'stopped', error: fakeFailure('swap/unconfirmed', undefined) }),
      'other transaction': reviewing({
        status: 'stopped',
        error: fakeFailure('swap/mismatch', { reason: 'it pays another account' }),
      }),
    },
    'Swap',
  ),
]
