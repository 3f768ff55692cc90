import { createStore, type Store } from '../lib/store.ts'
import type { Swap, SwapState } from '../swap/swapTypes.ts'

/** Swaps with a given state that record calls to their actions, except for overridden actions. */
export interface FakeSwap extends Swap {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<SwapState>
  /** The calls in order, such as `['setAmount', '1.5']`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
}

/**
 * Creates swaps that use no server and no wallet, for testing views and for component galleries. `setAmount` only changes the amount,
 * and `review` returns whether the state has a review, unless they are overridden.
 *
 * @example
 * const latchkey = fakeLatchkey({ swap: fakeSwap({ supported: false }) })
 */
export function fakeSwap(state: Partial<SwapState> = {}, actions: Partial<Omit<Swap, 'state'>> = {}): FakeSwap {
  const calls: (readonly [string, ...unknown[]])[] = []
  const note =
    (name: string) =>
    (...args: readonly unknown[]): void => {
      calls.push([name, ...args])
    }
  const store = createStore<SwapState>({
    account: undefined,
    chain: undefined,
    supported: true,
    tokens: { status: 'idle' },
    from: undefined,
    to: undefined,
    amount: '',
    quote: { status: 'idle' },
    problem: undefined,
    review: undefined,
    unconfirmed: false,
    ...state,
  })
  return {
    state: store,
    calls,
    supported: async () => true,
    async open(presets) {
      calls.push(['open', presets])
    },
    watch: () => () => undefined,
    setAmount(amount) {
      calls.push(['setAmount', amount])
      store.set({ ...store.get(), amount })
    },
    setMax: note('setMax'),
    setToken: note('setToken'),
    flip: note('flip'),
    retry: note('retry'),
    review() {
      calls.push(['review'])
      return store.get().review !== undefined
    },
    accept: note('accept'),
    confirmUnverified: note('confirmUnverified'),
    async confirm(params) {
      calls.push(['confirm', params])
    },
    async revoke(params) {
      calls.push(['revoke', params])
    },
    cancelReview: note('cancelReview'),
    dismissUnconfirmed: note('dismissUnconfirmed'),
    stop() {},
    ...actions,
  }
}
