import { initialState } from '../account/send/deriveSendState.ts'
import type { Send, SendState } from '../account/send/sendTypes.ts'
import { createStore, type Store } from '../lib/store.ts'

/** A form for sending tokens with a given state that records calls to its actions, except for overridden actions. */
export interface FakeSend extends Send {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<SendState>
  /** The calls in order, such as `['setAmount', '1.5']`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
}

/**
 * Creates a form for sending tokens that uses no wallet and no network, for testing views and for component galleries. The setters
 * only change the text that was entered, unless they are overridden.
 *
 * @example
 * const latchkey = fakeLatchkey({ send: fakeSend({ amountText: '1.5', step: 'add-address' }) })
 */
export function fakeSend(state: Partial<SendState> = {}, actions: Partial<Omit<Send, 'state'>> = {}): FakeSend {
  const calls: (readonly [string, ...unknown[]])[] = []
  const store = createStore<SendState>({ ...initialState, ...state })
  const patch = (change: Partial<SendState>): void => store.set({ ...store.get(), ...change })
  const note = (...call: readonly [string, ...unknown[]]): void => void calls.push(call)
  return {
    state: store,
    calls,
    open: (values) => note('open', values),
    setToken: (id) => note('setToken', id),
    setAmount(text) {
      note('setAmount', text)
      patch({ amountText: text })
    },
    setUnit(unit) {
      note('setUnit', unit)
      patch({ unit })
    },
    setMax: () => note('setMax'),
    setRecipient(text) {
      note('setRecipient', text)
      patch({ recipient: { text, status: text === '' ? 'empty' : 'checking' } })
    },
    acceptChecksum: () => note('acceptChecksum'),
    retry: () => note('retry'),
    startReview() {
      note('startReview')
      return store.get().step === 'review'
    },
    endReview: () => note('endReview'),
    confirmWarnings(warningsConfirmed) {
      note('confirmWarnings', warningsConfirmed)
      patch({ warningsConfirmed })
    },
    async submit(params) {
      note('submit', params)
      return { hash: `0x${'ab'.repeat(32)}` }
    },
    dismiss: () => note('dismiss'),
    clearRecent: () => note('clearRecent'),
    stop() {},
    ...actions,
  }
}
