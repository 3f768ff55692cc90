import type { Portfolio, PortfolioState } from '../account/portfolioTypes.ts'
import type { Transactions, TransactionsState } from '../account/transactionTypes.ts'
import { createStore, type Store } from '../lib/store.ts'

/** A portfolio with a given state that records calls to its actions, except for overridden actions. */
export interface FakePortfolio extends Portfolio {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<PortfolioState>
  /** The calls in order: `['refresh']`, `['poll', 10000]`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
}

/**
 * Creates a portfolio that uses no server, for testing views and for component galleries.
 *
 * @example
 * const latchkey = fakeLatchkey({ portfolio: fakePortfolio({ tokens: { status: 'ready', value: [] } }) })
 */
export function fakePortfolio(
  state: Partial<PortfolioState> = {},
  actions: Partial<Omit<Portfolio, 'state'>> = {},
): FakePortfolio {
  const calls: (readonly [string, ...unknown[]])[] = []
  return {
    state: createStore<PortfolioState>({ account: undefined, tokens: { status: 'idle' }, ...state }),
    calls,
    async refresh(params) {
      calls.push(params ? ['refresh', params] : ['refresh'])
    },
    async poll(everyMs) {
      calls.push(['poll', everyMs])
    },
    async add(address) {
      calls.push(['add', address])
      return undefined
    },
    stop() {},
    ...actions,
  }
}

/** A history with a given state that records calls to its actions, except for overridden actions. */
export interface FakeTransactions extends Transactions {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<TransactionsState>
  /** The calls in order: `['fetch']`, `['fetchNext']`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
}

/**
 * Creates a history that uses no server, for testing views and for component galleries. By default it is empty.
 *
 * @example
 * const latchkey = fakeLatchkey({ transactions: fakeTransactions({ loading: true }) })
 */
export function fakeTransactions(
  state: Partial<TransactionsState> = {},
  actions: Partial<Omit<Transactions, 'state'>> = {},
): FakeTransactions {
  const calls: (readonly [string, ...unknown[]])[] = []
  return {
    state: createStore<TransactionsState>({
      account: undefined,
      chain: undefined,
      transactions: [],
      spam: [],
      transactionsByYear: [],
      coinbaseTransactions: [],
      loading: false,
      empty: true,
      next: undefined,
      isPartial: false,
      error: undefined,
      ...state,
    }),
    calls,
    async fetch(params) {
      calls.push(params ? ['fetch', params] : ['fetch'])
    },
    async fetchNext() {
      calls.push(['fetchNext'])
    },
    async update() {
      calls.push(['update'])
    },
    canReplace: () => false,
    replaceFailed: () => false,
    async replace(params) {
      calls.push(['replace', params])
      return { hash: `0x${'0'.repeat(64)}` }
    },
    stop() {},
    ...actions,
  }
}
