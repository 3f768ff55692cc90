import type { AccountDetails, State } from '@latchkey/core'
import { fakeFailure } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import {
  history,
  longTokens,
  manyTokens,
  owning,
  poison,
  portfolio,
  server,
  tokens,
  transaction,
  transactions,
  withActivity,
} from '../portfolioSamples.ts'
import { withBalance, withConnection } from '../samples.ts'

const cause = fakeFailure('http/unreachable', { url: 'https://connect.shop.example' })
const unavailable = Object.assign(fakeFailure('balance/unavailable', undefined), { cause })
const notLoaded = Object.assign(fakeFailure('transactions/failed', undefined), { cause })
const state = (initialState: State): State => withBalance(withConnection(initialState), 1_234_567_890_123_456_789n)
const unpriced = tokens.filter(({ price, hidden }) => price === undefined && !hidden)
const shown = { options: server, state, transactions: history(transactions) }
const listed = { options: server, state: withConnection }

/** Returns a state in which the account has a type. */
const withType =
  (type: string) =>
  (initialState: State): State => {
    const now = withConnection(initialState)
    const { eip155 } = now.connections.byNamespace
    if (eip155?.status !== 'connected') return now
    const details: AccountDetails = { type }
    return { ...now, connections: { ...now.connections, byNamespace: { eip155: { ...eip155, details } } } }
  }
const stored = (networks: string) => ({ '@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS': networks })

/** The account's tokens and activity, and receiving. */
export const tokenAndTransactionStates: readonly GalleryEntry[] = [
  ...statesOf('Account', undefined, {
    tokens: { ...shown, portfolio: owning(tokens) },
    'tokens loading': { ...shown, portfolio: portfolio({ status: 'loading' }) },
    'no tokens': { ...shown, portfolio: owning([]) },
    'no prices': { ...shown, portfolio: owning(unpriced) },
    'tokens failed': { ...shown, portfolio: portfolio({ status: 'failed', error: unavailable }) },
    'tokens out of date': { ...shown, portfolio: portfolio({ status: 'failed', error: unavailable, value: tokens }) },
    'long tokens': { ...shown, portfolio: owning(longTokens) },
    'all tokens': { ...shown, portfolio: owning(manyTokens), press: 'Show all 500 tokens' },
    'hidden tokens': { ...shown, portfolio: owning(tokens), press: '2 hidden tokens' },
    activity: { ...shown, state: withActivity, portfolio: owning(tokens), press: 'Activity' },
    'activity that can be replaced': {
      ...shown,
      state: withActivity,
      portfolio: owning(tokens),
      transactions: history(transactions, {}, { canReplace: ({ status }) => status === 'pending' }),
      press: 'Activity',
    },
    'activity loading': {
      ...shown,
      portfolio: owning(tokens),
      transactions: history([], { loading: true, empty: false }),
      press: 'Activity',
    },
    'no activity': { ...shown, portfolio: owning(tokens), transactions: history([]), press: 'Activity' },
    'activity failed': {
      ...shown,
      portfolio: owning(tokens),
      transactions: history([], { error: notLoaded }),
      press: 'Activity',
    },
  }),
  ...statesOf(
    'Transactions',
    undefined,
    {
      loaded: { ...listed, state: withActivity, transactions: history(transactions) },
      loading: { ...listed, transactions: history([], { loading: true, empty: false }) },
      'next page': { ...listed, transactions: history(transactions.slice(0, 2), { next: '2', loading: true }) },
      'with suspicious': {
        ...listed,
        transactions: history(transactions, { spam: [poison] }),
        press: 'Show',
      },
      'suspicious hidden': { ...listed, transactions: history(transactions, { spam: [poison] }) },
      partial: { ...listed, transactions: history(transactions, { isPartial: true }) },
      empty: { ...listed, transactions: history([]) },
      error: { ...listed, transactions: history([], { error: notLoaded }) },
      'next page failed': { ...listed, transactions: history(transactions.slice(0, 3), { error: notLoaded }) },
      'ten thousand': {
        ...listed,
        transactions: history(
          Array.from({ length: 10_000 }, (_, at) => transaction('send', at / 10, transactions[0]?.transfers ?? [])),
        ),
      },
    },
    'Account',
  ),
  ...statesOf(
    'WalletReceive',
    undefined,
    {
      'smart account': { state: withType('smartAccount'), stored: stored('1,10,8453') },
      'smart account elsewhere': { state: withType('smartAccount'), stored: stored('10,8453') },
    },
    'Account',
  ),
  ...statesOf(
    'WalletCompatibleNetworks',
    undefined,
    {
      key: { state: withType('eoa') },
      unknown: { state: withConnection },
      'smart account': { state: withType('smartAccount'), stored: stored('1,10') },
    },
    'WalletReceive',
  ),
]
