import { addressOf } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { getHistory, type HistoryAnswer } from '@latchkey/protocol/http/chain'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { linkedController } from '../lib/abortable.ts'
import { createStore } from '../lib/store.ts'
import { groupTransactions, mergeTransactions, visibleTransactions } from './groupTransactions.ts'
import type { PortfolioSubject } from './portfolio.ts'
import type { Transactions, TransactionsState } from './transactionTypes.ts'

const initialState: TransactionsState = {
  account: undefined,
  chain: undefined,
  transactions: [],
  transactionsByYear: [],
  coinbaseTransactions: [],
  loading: false,
  empty: false,
  next: undefined,
  error: undefined,
}

/** Creates the history of the active account. */
export function createTransactions(dependencies: {
  /** The chain API of the configured server, if there is one. */
  readonly api: ChainApiClient | undefined
  /** Returns the account and network to read. */
  now(): Pick<PortfolioSubject, 'account' | 'network'> | undefined
  /** Called if a page could not be loaded. */
  failed(error: LatchkeyError): void
}): Transactions {
  const { api } = dependencies
  const state = createStore(initialState)
  const stopped = new AbortController()
  let request = new AbortController()
  /** The page that could not be loaded: its cursor, or none for the first page. */
  let failedPage: { readonly cursor?: string } | undefined

  /** Returns the account to read. Clears the state if it belongs to another account or network. */
  const subjectNow = () => {
    const subject = dependencies.now()
    if (!subject) throw accountFailure('transactions/no-account')
    const { account, network } = subject
    const chain = network.caipNetworkId
    if (state.get().account !== account || state.get().chain !== chain) {
      request.abort()
      state.set({ ...initialState, account, chain })
    }
    return { account, chain }
  }
  const read = async (
    { account, chain }: ReturnType<typeof subjectNow>,
    { cursor, onramp, signal }: { cursor?: string | undefined; onramp?: 'coinbase'; signal: AbortSignal },
  ): Promise<HistoryAnswer> => {
    if (!api || !(await api.supports(chain))) return { data: [], next: null }
    return api.call(getHistory, {
      params: { address: addressOf(account) },
      query: { chainId: chain, cursor, onramp },
      signal,
      ...(onramp && { cache: 'no-cache' as const }),
    })
  }
  const fail = (cause: unknown): LatchkeyError => {
    const error = accountFailure('transactions/failed', undefined, { cause })
    dependencies.failed(error)
    return error
  }

  const load = async (cursor: string | undefined): Promise<void> => {
    const subject = subjectNow()
    request.abort()
    request = linkedController(stopped.signal)
    const { signal } = request
    failedPage = undefined
    state.set({ ...state.get(), loading: true, error: undefined })
    try {
      const { data, next } = await read(subject, { cursor, signal })
      if (signal.aborted) return
      const now = state.get()
      const visible = visibleTransactions(data, subject.chain)
      const transactions = mergeTransactions(cursor === undefined ? [] : now.transactions, visible)
      state.set({
        ...now,
        transactions,
        transactionsByYear: groupTransactions(transactions),
        loading: false,
        empty: transactions.length === 0,
        next: next ?? undefined,
      })
    } catch (cause) {
      if (signal.aborted) return
      failedPage = cursor === undefined ? {} : { cursor }
      // Pages that are already shown stay, so that a user who scrolls loses nothing.
      const kept = cursor === undefined ? { transactions: [], transactionsByYear: [], empty: true } : {}
      state.set({ ...state.get(), ...kept, loading: false, next: undefined, error: fail(cause) })
    }
  }
  /** Loads the purchases. They do not affect the list of transactions, and a failure leaves them as they are. */
  const loadPurchases = async (onramp: 'coinbase'): Promise<void> => {
    const subject = subjectNow()
    try {
      const { data } = await read(subject, { onramp, signal: stopped.signal })
      if (state.get().account !== subject.account) return
      const coinbaseTransactions = mergeTransactions([], visibleTransactions(data, undefined))
      state.set({ ...state.get(), coinbaseTransactions })
    } catch (cause) {
      if (!stopped.signal.aborted) fail(cause)
    }
  }

  return {
    state,
    fetch: ({ onramp } = {}) => (onramp ? loadPurchases(onramp) : load(undefined)),
    async fetchNext() {
      const { loading, next } = state.get()
      if (loading) return
      if (failedPage) await load(failedPage.cursor)
      else if (next !== undefined) await load(next)
    },
    stop: () => stopped.abort(),
  }
}
