import { addressOf } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { getHistory, type HistoryAnswer } from '@latchkey/protocol/http/chainApi'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { maxFruitlessPages } from '@latchkey/protocol/specificationConstants'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { linkedController } from '../lib/abortable.ts'
import { createStore } from '../lib/store.ts'
import type { PortfolioSubject } from './portfolioTypes.ts'
import { separateSpam } from './separateSpam.ts'
import { groupTransactions, mergeTransactions } from './transactionList.ts'
import type { Transactions, TransactionsState } from './transactionTypes.ts'

const initialState: TransactionsState = {
  account: undefined,
  chain: undefined,
  transactions: [],
  spam: [],
  transactionsByYear: [],
  coinbaseTransactions: [],
  loading: false,
  empty: false,
  next: undefined,
  isPartial: false,
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
}): Omit<Transactions, 'canReplace' | 'replace' | 'replaceFailed'> {
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

  /** Adds a page below or above the loaded pages, or replaces them. */
  const show = (
    { data, next, isPartial = false }: HistoryAnswer,
    { chain, place }: { chain: ReturnType<typeof subjectNow>['chain']; place: 'below' | 'above' | 'only' },
  ): void => {
    const now = place === 'only' ? { ...state.get(), transactions: [], spam: [], isPartial: false } : state.get()
    const page = separateSpam(data, chain)
    const transactions = mergeTransactions(now.transactions, page.visible)
    state.set({
      ...now,
      transactions,
      spam: mergeTransactions(now.spam, page.spam),
      transactionsByYear: groupTransactions(transactions, place === 'below' ? now.transactionsByYear : []),
      loading: false,
      empty: transactions.length === 0,
      next: place === 'above' ? now.next : (next ?? undefined),
      isPartial: now.isPartial || isPartial,
    })
  }

  const load = async (cursor: string | undefined): Promise<void> => {
    const subject = subjectNow()
    request.abort()
    request = linkedController(stopped.signal)
    const { signal } = request
    failedPage = undefined
    state.set({ ...state.get(), loading: true, error: undefined })
    let at = cursor
    try {
      // A page can consist entirely of spam, which does not fill the list. If a server keeps returning such pages, stop
      // requesting them.
      for (let fruitless = 1; ; fruitless++) {
        const page = await read(subject, { cursor: at, signal })
        if (signal.aborted) return
        const before = at === undefined ? 0 : state.get().transactions.length
        const next = fruitless < maxFruitlessPages ? page.next : null
        show({ ...page, next }, { chain: subject.chain, place: at === undefined ? 'only' : 'below' })
        if (state.get().transactions.length > before || next === null) return
        at = next
        state.set({ ...state.get(), loading: true })
      }
    } catch (cause) {
      if (signal.aborted) return
      failedPage = at === undefined ? {} : { cursor: at }
      // Loaded pages stay visible, so that users do not lose their scroll position.
      const kept = at === undefined ? { transactions: [], spam: [], transactionsByYear: [], empty: true } : {}
      state.set({ ...state.get(), ...kept, loading: false, next: undefined, error: fail(cause) })
    }
  }
  /** Loads the purchases. They do not affect the list of transactions, and a failure leaves them as they are. */
  const loadPurchases = async (onramp: 'coinbase'): Promise<void> => {
    const subject = subjectNow()
    try {
      const { data } = await read(subject, { onramp, signal: stopped.signal })
      if (state.get().account !== subject.account) return
      const coinbaseTransactions = mergeTransactions([], separateSpam(data, undefined).visible)
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
    async update() {
      const { account, chain, loading, transactions, error } = state.get()
      const subject = dependencies.now()
      if (loading || error || account === undefined || subject?.account !== account) return
      if (subject.network.caipNetworkId !== chain) return
      const { signal } = request
      const page = await read({ account, chain }, { signal: stopped.signal }).catch(() => undefined)
      if (!page || signal.aborted || state.get().loading || state.get().transactions !== transactions) return
      // If there are more new transactions than fit on a page, those between the page and the loaded ones would be missing.
      const known = new Set(transactions.map(({ id }) => id))
      const place = page.next === null || page.data.some(({ id }) => known.has(id)) ? 'above' : 'only'
      show(page, { chain, place })
    },
    stop: () => stopped.abort(),
  }
}
