import type { SendReview, SendState, SendWarning, Token } from '@latchkey/core'
import { fakeFailure, fakePortfolio, fakeSend } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import { address, withConnection } from '../samples.ts'

const account = `eip155:1:${address}` as const
const friend = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30'
const imitation = '0x2546bcD3A1c0fE98b7734D4e83D2b37E5f1cEc30'
const tether = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const hash = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060'
const now = Date.now()
const minutes = (count: number): number => now - count * 60_000

const token = (change: Partial<Token>): Token => ({
  id: 'native',
  chain: 'eip155:1',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  amount: 1_204_500_000_000_000_000n,
  ...change,
})
const ether = token({ price: { amount: '2961.47', source: 'uniswap-v3', at: minutes(1) }, fiat: '3567.09' })
const dollar = token({
  id: `eip155:1:${tether}`,
  address: tether,
  name: 'Tether USD',
  symbol: 'USDT',
  decimals: 6,
  amount: 812_340_000n,
  price: { amount: '1', source: 'stablecoin', at: minutes(1) },
  fiat: '812.34',
})
const points = token({
  id: 'eip155:1:0x1111111111111111111111111111111111111111',
  address: '0x1111111111111111111111111111111111111111',
  name: 'Loyalty Points of the Neighborhood Bakery',
  symbol: 'POINTS',
  amount: 123_456_789_012_345_678_901_234_567n,
})
const spam = token({
  id: 'eip155:1:0x2222222222222222222222222222222222222222',
  address: '0x2222222222222222222222222222222222222222',
  name: 'Claim at usdt-bonus.example',
  symbol: 'USDT',
  decimals: 6,
  amount: 1_000_000_000_000n,
  hidden: 'spam',
})
const others = ['Aurora', 'Basalt', 'Cinder', 'Dune'].map((name, at) =>
  token({
    id: `eip155:1:0x${String(at).repeat(40)}`,
    address: `0x${String(at).repeat(40)}`,
    name,
    symbol: name.slice(0, 3).toUpperCase(),
    amount: 10n ** 18n * BigInt(at + 1),
  }),
)
const tokens: SendState['tokens'] = { status: 'ready', value: [ether, dollar, points] }
const fee: SendState['fee'] = {
  status: 'ready',
  value: { amount: 424_000_000_000_000n, maxAmount: 848_000_000_000_000n },
}

const form: Partial<SendState> = {
  account,
  chain: 'eip155:1',
  tokens,
  token: ether,
  native: ether,
  fee,
  step: 'add-amount',
}
const filled: Partial<SendState> = {
  ...form,
  amountText: '0.25',
  amount: 250_000_000_000_000_000n,
  recipient: { text: friend, status: 'ready', address: friend },
  warnings: { status: 'ready', value: [] },
  step: 'review',
}
const recent: SendState['recent'] = [
  { address: friend, chain: 'eip155:1', name: 'bob.shop.example', at: minutes(600) },
  { address: '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C', chain: 'eip155:1', at: minutes(9_000) },
]
const unreachable = fakeFailure('http/unreachable', { url: 'https://node.example' })

const showing = (state: Partial<SendState>) => ({ state: withConnection, send: fakeSend(state) })

const review: SendReview = { account, chain: 'eip155:1', token: ether, amount: 250_000_000_000_000_000n, to: friend }
const reviewed: Partial<SendState> = { ...filled, review }
const warned = (...warnings: readonly SendWarning[]) =>
  showing({ ...reviewed, warnings: { status: 'ready', value: warnings } })
const transferred = (transfer: SendState['transfer'], more: Partial<SendState> = {}) =>
  showing({ ...form, transfer, ...more })

/** The views for sending tokens. */
export const sendStates: readonly GalleryEntry[] = [
  ...statesOf(
    'WalletSend',
    undefined,
    {
      default: showing(form),
      'recent recipients': showing({ ...form, recent }),
      ready: showing(filled),
      'in dollars': showing({ ...filled, unit: 'fiat', amountText: '740.36' }),
      maximum: showing({ ...filled, isMax: true, amountText: '1.203652', amount: 1_203_652_000_000_000_000n }),
      'loading tokens': showing({
        ...form,
        tokens: { status: 'loading' },
        token: undefined,
        fee: { status: 'idle' },
        step: 'select-token',
      }),
      'server down': showing({
        ...form,
        tokens: { status: 'failed', error: fakeFailure('balance/unavailable', undefined) },
        token: undefined,
        fee: { status: 'idle' },
        step: 'select-token',
      }),
      'unsupported wallet': showing({ ...filled, step: 'unsupported-wallet' }),
      'no token': showing({ ...form, token: undefined, fee: { status: 'idle' }, step: 'select-token' }),
      'no price': showing({ ...filled, token: points, amountText: '1200', amount: 1_200n * 10n ** 18n }),
      'old price': showing({ ...filled, token: token({ price: { amount: '2961.47', at: minutes(42) } }) }),
      insufficient: showing({ ...filled, amountText: '2', amount: 2n * 10n ** 18n, step: 'insufficient-funds' }),
      'incorrect value': showing({ ...filled, amountText: '0', amount: 0n, step: 'incorrect-amount' }),
      'insufficient fee': showing({
        ...filled,
        token: dollar,
        native: token({ amount: 10n ** 14n }),
        amountText: '50',
        amount: 50_000_000n,
        step: 'insufficient-fee',
      }),
      checking: showing({
        ...filled,
        recipient: { text: 'bob.shop.example', status: 'checking' },
        step: 'checking-address',
      }),
      'name found': showing({
        ...filled,
        recipient: { text: 'bob.shop.example', status: 'ready', address: friend, name: 'bob.shop.example' },
      }),
      'unknown name': showing({
        ...filled,
        recipient: { text: 'bobb.shop.example', status: 'unknown-name' },
        step: 'invalid-address',
      }),
      'lookup failed': showing({
        ...filled,
        recipient: { text: 'bob.shop.example', status: 'failed', error: unreachable },
        step: 'invalid-address',
      }),
      invalid: showing({ ...filled, recipient: { text: 'abc', status: 'invalid' }, step: 'invalid-address' }),
      'wrong checksum': showing({
        ...filled,
        recipient: { text: friend.replace('BcD', 'bCd'), status: 'wrong-checksum', address: friend },
        step: 'invalid-address',
      }),
      'fee failed': showing({ ...filled, fee: { status: 'failed', error: unreachable } }),
      'would fail': showing({
        ...filled,
        fee: { status: 'failed', error: fakeFailure('send/would-fail', { reason: 'token-refuses' }) },
      }),
      'tokens failed': showing({
        ...form,
        tokens: { status: 'failed', error: fakeFailure('balance/unavailable', undefined), value: [ether] },
      }),
      interrupted: showing({ ...filled, transfer: { status: 'unknown', review, at: minutes(3) } }),
      'unsupported network': showing({ ...form, token: undefined, step: 'unsupported-chain' }),
      'long content': showing({
        ...filled,
        token: points,
        tokens: { status: 'ready', value: [points] },
        amountText: '123456789.012345678901234567',
        amount: 123_456_789_012_345_678_901_234_567n,
        recipient: {
          text: 'a-name-that-is-as-long-as-names-can-be-and-has-64-characters-000.shop.example',
          status: 'ready',
          address: friend,
          name: 'a-name-that-is-as-long-as-names-can-be-and-has-64-characters-000.shop.example',
        },
      }),
      'not connected': { send: fakeSend() },
    },
    'Account',
  ),
  ...statesOf(
    'WalletSendSelectToken',
    undefined,
    {
      default: showing(form),
      search: { ...showing({ ...form, tokens: { status: 'ready', value: [ether, dollar, points, ...others, spam] } }) },
      'hidden tokens': {
        ...showing({ ...form, tokens: { status: 'ready', value: [ether, dollar, spam] } }),
        press: 'Show hidden tokens',
      },
      'nothing found': {
        ...showing({ ...form, tokens: { status: 'ready', value: [ether, dollar, points, ...others] } }),
        typed: 'zzz',
      },
      'no token at the address': {
        ...showing({ ...form, tokens: { status: 'ready', value: [ether, dollar, points, ...others] } }),
        portfolio: fakePortfolio(),
        typed: friend,
      },
      loading: showing({ ...form, tokens: { status: 'loading' } }),
      failed: showing({
        ...form,
        tokens: { status: 'failed', error: fakeFailure('balance/unavailable', undefined) },
      }),
      empty: showing({ ...form, tokens: { status: 'ready', value: [] } }),
    },
    'WalletSend',
  ),
  ...statesOf(
    'WalletSendPreview',
    undefined,
    {
      default: showing(reviewed),
      token: showing({
        ...reviewed,
        token: dollar,
        review: { ...review, token: dollar, amount: 6_800_000n, name: 'bob.shop.example' },
      }),
      checking: showing({ ...reviewed, warnings: { status: 'loading' } }),
      'first time': warned({ kind: 'first-time', isSerious: false }),
      'look-alike': warned(
        { kind: 'look-alike', address: imitation, relation: 'sent', isSerious: true },
        { kind: 'first-time', isSerious: false },
      ),
      'name changed': warned(
        { kind: 'name-changed', address: '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C', isSerious: true },
        { kind: 'first-time', isSerious: false },
      ),
      'zero address': showing({
        ...reviewed,
        review: { ...review, to: `0x${'0'.repeat(40)}` },
        warnings: { status: 'ready', value: [{ kind: 'zero-address', isSerious: true }] },
      }),
      'token contract': showing({
        ...reviewed,
        review: { ...review, token: dollar, amount: 6_800_000n, to: tether },
        warnings: { status: 'ready', value: [{ kind: 'token-contract', isSerious: true }] },
      }),
      contract: warned({ kind: 'contract', isSerious: false }, { kind: 'first-time', isSerious: false }),
      'contract elsewhere': warned(
        { kind: 'contract-elsewhere', network: 'Ethereum', isSerious: true },
        { kind: 'first-time', isSerious: false },
      ),
      'only in history': warned({ kind: 'only-in-history', isSerious: false }),
      'another symbol': warned({ kind: 'symbol', symbol: 'WBTC', isSerious: false }),
      'similar symbol': warned({ kind: 'similar-symbol', symbol: 'USDC.e', isSerious: true }),
      'wrong checksum': warned({ kind: 'checksum', isSerious: true }),
      repeated: warned({ kind: 'repeat', isSerious: true }),
      'own address': warned({ kind: 'own-address', isSerious: false }),
      unchecked: warned(
        { kind: 'unchecked', what: 'history', isSerious: false },
        { kind: 'unchecked', what: 'contract', isSerious: false },
      ),
      'fee failed': showing({ ...reviewed, fee: { status: 'failed', error: unreachable } }),
      'would fail': showing({
        ...reviewed,
        fee: { status: 'failed', error: fakeFailure('send/would-fail', { reason: 'execution reverted: paused' }) },
      }),
      changed: showing(form),
      confirming: transferred({ status: 'requested', review }, { review }),
      pending: transferred({ status: 'pending', review, hash, at: now }),
      done: transferred({ status: 'done', review, hash, at: now }),
      reverted: transferred({ status: 'reverted', review, hash, at: now }),
      declined: transferred(
        { status: 'failed', review, error: fakeFailure('user/rejected', { request: 'eth_sendTransaction' }) },
        { review },
      ),
      failed: transferred(
        { status: 'failed', review, error: fakeFailure('wallet/failed', { message: 'Insufficient funds for gas' }) },
        { review },
      ),
      'network changed': transferred(
        { status: 'failed', review, error: fakeFailure('send/changed', undefined) },
        { review },
      ),
      'confirmed too late': transferred(
        { status: 'failed', review, error: fakeFailure('send/expired', undefined) },
        { review },
      ),
      'server down': transferred({ status: 'failed', review, error: unreachable }, { review }),
      'wallet does not respond': transferred(
        {
          status: 'failed',
          review,
          error: fakeFailure('wallet/unresponsive', { connectorId: 'example.marlin' }),
        },
        { review },
      ),
      'outcome unknown': transferred({ status: 'unknown', review, at: now }),
      'many digits': showing({
        ...reviewed,
        review: { ...review, token: points, amount: 123_456_789_012_345_678_901_234_567_891n },
      }),
      'long content': showing({
        ...reviewed,
        review: {
          ...review,
          token: points,
          amount: 123_456_789_012_345_678_901_234_567n,
          name: 'a-name-that-is-as-long-as-names-can-be-and-has-64-characters-000.shop.example',
        },
      }),
    },
    'WalletSend',
  ),
]
