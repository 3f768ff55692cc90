import type { OnrampProviderName } from '@latchkey/protocol/http/chainApi'
import { createStore, type Store } from '../lib/store.ts'
import { fallbackOnrampOptions } from '../onramp/fallbackOnrampOptions.ts'
import { judgedOffer, newOffer } from '../onramp/onrampOffers.ts'
import type { Onramp, OnrampOffer, OnrampState } from '../onramp/onrampTypes.ts'

/** An onramp with a given state that records calls to its actions. */
export interface FakeOnramp extends Onramp {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<OnrampState>
  /** The calls in order, such as `['setAmount', '100']` or `['buy', 'coinbase']`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
  /** Creates an offer of USDC and ETH on Ethereum and Polygon for US dollars and euros. */
  offer(provider: OnrampProviderName, change?: Partial<OnrampOffer>): OnrampOffer
}

/**
 * Creates an onramp that uses no server, for testing views and for component galleries. By default, Coinbase and Meld sell USDC
 * and ETH on Ethereum, and no amount is entered. The setters change the state, and the other actions are only recorded.
 *
 * @example
 * const latchkey = fakeLatchkey({ onramp: fakeOnramp({ amount: '100' }) })
 */
export function fakeOnramp(state: Partial<OnrampState> = {}, actions: Partial<Omit<Onramp, 'state'>> = {}): FakeOnramp {
  const calls: (readonly [string, ...unknown[]])[] = []
  const tokens = fallbackOnrampOptions.purchaseCurrencies.map(
    ({ symbol, name }) => ({ symbol, name, chain: 'eip155:1' }) as const,
  )
  const choice = { amount: '', currency: 'USD', token: tokens[0], ...state }
  const offer: FakeOnramp['offer'] = (provider, change) => ({
    ...judgedOffer({ ...newOffer(provider), options: { status: 'ready', value: fallbackOnrampOptions } }, choice),
    ...change,
  })
  const store = createStore<OnrampState>({
    account: 'eip155:1:0x8ba1f109551bD432803012645Ac136ddd64DBA72',
    chain: 'eip155:1',
    status: 'ready',
    error: undefined,
    offers: [offer('coinbase'), offer('meld')],
    currencies: ['USD', 'EUR'],
    tokens,
    purchase: undefined,
    ...choice,
  })
  const note = (...call: readonly [string, ...unknown[]]): void => void calls.push(call)
  const patch = (change: Partial<OnrampState>): void => store.set({ ...store.get(), ...change })
  return {
    state: store,
    calls,
    offer,
    supported: async () => store.get().status !== 'none' && store.get().status !== 'unsupported',
    opened: () => note('opened'),
    load: async () => note('load'),
    retry: async () => note('retry'),
    setAmount(amount) {
      note('setAmount', amount)
      patch({ amount })
    },
    setCurrency(currency) {
      note('setCurrency', currency)
      patch({ currency })
    },
    setToken(token) {
      note('setToken', token)
      patch({ token })
    },
    buy: (provider) => note('buy', provider),
    resume: () => note('resume'),
    dismiss() {
      note('dismiss')
      patch({ purchase: undefined })
    },
    stop() {},
    ...actions,
  }
}
