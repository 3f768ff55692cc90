import type { AccountNames, AccountNamesState } from '../account/accountNamesTypes.ts'
import { createStore, type Store } from '../lib/store.ts'

/** Account names with a given state that record calls to their actions, except for overridden actions. */
export interface FakeAccountNames extends AccountNames {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<AccountNamesState>
  /** The calls in order: `['opened']`, `['setText', 'alice']`, `['retry']`, `['register']`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
}

/**
 * Creates account names in the zone `shop.example` that use no server, for testing views and for component galleries. `setText`
 * only changes the text, unless it is overridden.
 *
 * @example
 * const latchkey = fakeLatchkey({ names: fakeAccountNames({ text: 'alice' }) })
 */
export function fakeAccountNames(
  state: Partial<AccountNamesState> = {},
  actions: Partial<Omit<AccountNames, 'state'>> = {},
): FakeAccountNames {
  const calls: (readonly [string, ...unknown[]])[] = []
  const store = createStore<AccountNamesState>({
    text: '',
    suggestions: { status: 'idle' },
    registering: false,
    error: undefined,
    ...state,
  })
  return {
    state: store,
    calls,
    zone: async () => 'shop.example',
    lookup: async () => undefined,
    reverse: async () => [],
    opened: () => void calls.push(['opened']),
    setText(text) {
      calls.push(['setText', text])
      store.set({ ...store.get(), text })
    },
    retry: () => void calls.push(['retry']),
    async register() {
      calls.push(['register'])
      return `${store.get().text}.shop.example`
    },
    stop() {},
    ...actions,
  }
}
