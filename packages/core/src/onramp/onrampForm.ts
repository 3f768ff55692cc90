import { namespaceOf } from '@latchkey/protocol/caip'
import { getOnrampOptions, type OnrampProviderName, onrampProviderNames } from '@latchkey/protocol/http/chainApi'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { debounceMs, authNamespaces as onrampNamespaces } from '@latchkey/protocol/specificationConstants'
import { linkedController } from '../lib/abortable.ts'
import { delay } from '../lib/delay.ts'
import { failed } from '../lib/queryResult.ts'
import { fallbackOnrampOptions } from './fallbackOnrampOptions.ts'
import { isCurrent, type OnrampContext } from './onrampContext.ts'
import {
  amountOf,
  currenciesOf,
  judgedOffer,
  newOffer,
  offeredProviders,
  providersToOffer,
  tokensOf,
} from './onrampOffers.ts'
import { requestQuote } from './onrampRequests.ts'
import type { Onramp, OnrampOffer, OnrampState } from './onrampTypes.ts'

/** The state before anything is loaded. */
export const initialState: OnrampState = {
  account: undefined,
  chain: undefined,
  status: 'loading',
  error: undefined,
  offers: [],
  currencies: [],
  tokens: [],
  currency: undefined,
  token: undefined,
  amount: '',
  purchase: undefined,
}

/** The user's choice. It is kept even while no provider offers it. */
export interface OnrampChoice {
  readonly currency?: string | undefined
  readonly symbol?: string | undefined
}

/** The form for buying crypto: the user's choices, and the providers' offers for them. */
export interface OnrampForm extends Pick<Onramp, 'load' | 'retry' | 'setAmount' | 'setCurrency' | 'setToken'> {
  /** Returns the user's choice. */
  choice(): OnrampChoice
}

/** Creates the form. Nothing is requested until the first call. */
export function createOnrampForm(context: OnrampContext, chosen: OnrampChoice): OnrampForm {
  const { api, now, providers, clock, state, patch, stopped } = context
  let selected = chosen
  let loading = new AbortController()
  let quoting = new AbortController()
  let running: Promise<void> | undefined

  /** Updates everything that depends on the offers and the user's choices. */
  function settle(change: Partial<OnrampState>): void {
    const next = { ...state.get(), ...change }
    const currencies = currenciesOf(next.offers)
    const tokens = tokensOf(next.offers, next.chain)
    const choice = {
      amount: next.amount,
      currency: [selected.currency, 'USD'].find((id) => id !== undefined && currencies.includes(id)) ?? currencies[0],
      token: tokens.find(({ symbol }) => symbol === selected.symbol) ?? tokens[0],
    }
    state.set({
      ...next,
      ...choice,
      currencies,
      tokens,
      offers: next.offers.map((offer) => judgedOffer(offer, choice)),
    })
  }

  const patchOffer = (provider: OnrampProviderName, change: Partial<OnrampOffer>): void =>
    settle({
      offers: state.get().offers.map((offer) => (offer.provider === provider ? { ...offer, ...change } : offer)),
    })

  async function loadOptions(provider: OnrampProviderName, signal: AbortSignal): Promise<void> {
    try {
      const value = await api.call(getOnrampOptions, { query: { provider }, signal })
      if (!signal.aborted) patchOffer(provider, { options: { status: 'ready', value } })
    } catch (error) {
      if (!signal.aborted)
        patchOffer(provider, {
          options: { status: 'failed', error: toLatchkeyError(error), value: fallbackOnrampOptions },
        })
    }
  }

  async function loadAll(): Promise<void> {
    loading.abort()
    quoting.abort()
    loading = linkedController(stopped)
    const { signal } = loading
    const subject = now()
    const chain = subject?.network.caipNetworkId
    const { amount, purchase } = state.get()
    state.set({ ...initialState, amount, purchase, account: subject?.account, chain })
    if (!subject || chain === undefined || !onrampNamespaces.includes(namespaceOf(subject.account)))
      return patch({ status: 'unsupported' })
    try {
      if (!(await api.supports(chain))) {
        if (!signal.aborted) patch({ status: 'unsupported' })
        return
      }
      const value = await api.call(getOnrampOptions, { signal })
      if (signal.aborted) return
      const names = offeredProviders(providers, value)
      const first = value.providers?.[0]?.name ?? 'coinbase'
      const offers = names.map((name) =>
        name === first ? { ...newOffer(name), options: { status: 'ready' as const, value } } : newOffer(name),
      )
      settle({ status: names.length === 0 ? 'none' : 'ready', offers })
      await Promise.all(names.flatMap((name) => (name === first ? [] : loadOptions(name, signal))))
    } catch (cause) {
      if (signal.aborted) return
      const error = toLatchkeyError(cause)
      const names = providersToOffer(providers, onrampProviderNames)
      const options = { status: 'failed' as const, error, value: fallbackOnrampOptions }
      settle({ status: 'failed', error, offers: names.map((name) => ({ ...newOffer(name), options })) })
    }
    if (!signal.aborted) void quote(0)
  }

  /** Requests a quote from each provider that sells the chosen token. Quotes for earlier choices are ignored. */
  async function quote(pauseMs: number): Promise<void> {
    quoting.abort()
    quoting = linkedController(stopped, loading.signal)
    const { signal } = quoting
    const { status, offers } = state.get()
    const isAsked = (offer: OnrampOffer): boolean =>
      status === 'ready' &&
      offer.options.status === 'ready' &&
      offer.problem === undefined &&
      amountOf(state.get().amount) !== undefined
    settle({ offers: offers.map((offer) => ({ ...offer, quote: { status: isAsked(offer) ? 'loading' : 'idle' } })) })
    await delay({ clock, ms: pauseMs, signal })
    if (signal.aborted) return
    await Promise.all(
      state
        .get()
        .offers.filter(isAsked)
        .map(async (offer) => {
          try {
            const value = await requestQuote({ api, signal }, offer, state.get())
            if (!signal.aborted) patchOffer(offer.provider, { quote: { status: 'ready', value } })
          } catch (error) {
            if (!signal.aborted)
              patchOffer(offer.provider, { quote: failed({ status: 'idle' }, toLatchkeyError(error)) })
          }
        }),
    )
  }

  function changed(change: Partial<OnrampState>): void {
    settle(change)
    context.save()
    void quote(debounceMs)
  }

  return {
    choice: () => selected,
    async load() {
      const isLoaded = ['loading', 'ready', 'none'].includes(state.get().status)
      if (!running || !isCurrent(context) || !isLoaded) running = loadAll()
      await running
    },
    async retry() {
      running = loadAll()
      await running
    },
    setAmount: (text) => changed({ amount: text.trim().replace(',', '.').slice(0, 12) }),
    setCurrency(currency) {
      selected = { ...selected, currency }
      changed({})
    },
    setToken({ symbol }) {
      selected = { ...selected, symbol }
      changed({})
    },
  }
}
