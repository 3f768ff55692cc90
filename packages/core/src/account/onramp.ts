import { type AccountId, addressOf, type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import {
  getOnrampOptions,
  getSupportedChains,
  type OnrampProviderName,
  type OnrampQuote,
  onrampProviderNames,
  postOnrampQuote,
  postOnrampUrl,
} from '@latchkey/protocol/http/chain'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { debounceMs, authNamespaces as onrampNamespaces } from '@latchkey/protocol/specificationConstants'
import * as v from 'valibot'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { linkedController } from '../lib/abortable.ts'
import { delay } from '../lib/delay.ts'
import { failed } from '../lib/queryResult.ts'
import { createStore } from '../lib/store.ts'
import { type DraftDependencies, draftEntry } from '../storage/draftStorage.ts'
import {
  amountOf,
  currenciesOf,
  judgedOffer,
  newOffer,
  paymentCurrencyOf,
  plainAmount,
  providersToOffer,
  purchaseCurrencyOf,
  tokensOf,
  usualOptions,
} from './onrampOffers.ts'
import { followPurchase, readPurchases } from './onrampPurchases.ts'
import type { Onramp, OnrampOffer, OnrampPurchase, OnrampState } from './onrampTypes.ts'

const initialState: OnrampState = {
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

/** How long a purchase is followed after a reload, in milliseconds. */
const resumableMs = 3_600_000

/** The states in which a purchase can still arrive. */
const pendingStatuses: readonly OnrampPurchase['status'][] = ['blocked', 'waiting', 'paid', 'slow']

const short = v.pipe(v.string(), v.maxLength(100))
const draftSchema = v.object({
  amount: short,
  currency: v.optional(short),
  symbol: v.optional(short),
  purchase: v.optional(
    v.object({
      provider: v.picklist(onrampProviderNames),
      account: v.custom<AccountId>((value) => typeof value === 'string' && value.length < 200),
      chain: v.custom<ChainId>((value) => typeof value === 'string' && value.length < 60),
      symbol: short,
      amount: short,
      currency: short,
      startedAt: v.number(),
      known: v.optional(v.pipe(v.array(short), v.maxLength(50))),
    }),
  ),
})

/** Creates the onramp. Nothing is requested until the first call. */
export function createOnramp({
  api,
  now,
  providers,
  isSmartAccount,
  arrived,
  drafts,
  open,
  track,
  clock,
}: {
  readonly api: ChainApiClient
  /** Returns the active account and its network. */
  now(): { readonly account: AccountId; readonly network: { readonly caipNetworkId: ChainId } } | undefined
  /** The option `features.onramp`. */
  readonly providers: unknown
  isSmartAccount(): boolean
  /** Called when a provider reports that a purchase has arrived. */
  arrived(): void
  readonly drafts: DraftDependencies
  /** Opens a window, like `window.open`. */
  open(url: string, target: string, features: string): Window | null
  track(event: AnalyticsEvent): void
  readonly clock: Clock
}): Onramp {
  const draft = draftEntry(drafts, 'onramp', draftSchema)
  const page = new AbortController()
  let loading = new AbortController()
  let quoting = new AbortController()
  let following = new AbortController()
  let running: Promise<void> | undefined
  let known: readonly string[] | undefined
  let popup: Window | null = null
  const { purchase: unfinished, amount: typed, currency, symbol } = draft.get() ?? { amount: '' }
  /** What the user chose, which is kept while it is not offered. */
  const wanted: { currency?: string | undefined; symbol?: string | undefined } = { currency, symbol }

  const state = createStore({ ...initialState, amount: typed })

  const patch = (change: Partial<OnrampState>): void => state.set({ ...state.get(), ...change })
  const patchPurchase = (change: Partial<OnrampPurchase>): void => {
    const { purchase } = state.get()
    if (purchase) patch({ purchase: { ...purchase, ...change } })
  }

  function save(): void {
    const { amount, purchase } = state.get()
    const isPending = purchase !== undefined && pendingStatuses.includes(purchase.status)
    draft.set({ amount, ...wanted, ...(isPending && { purchase: stored(purchase, known) }) })
  }

  /** Updates everything that follows from the offers and from what was chosen. */
  function settle(change: Partial<OnrampState>): void {
    const next = { ...state.get(), ...change }
    const currencies = currenciesOf(next.offers)
    const tokens = tokensOf(next.offers, next.chain)
    const choice = {
      amount: next.amount,
      currency: [wanted.currency, 'USD'].find((id) => id !== undefined && currencies.includes(id)) ?? currencies[0],
      token: tokens.find(({ symbol }) => symbol === wanted.symbol) ?? tokens[0],
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
        patchOffer(provider, { options: { status: 'failed', error: toLatchkeyError(error), value: usualOptions } })
    }
  }

  async function loadAll(): Promise<void> {
    loading.abort()
    quoting.abort()
    loading = linkedController(page.signal)
    const { signal } = loading
    const subject = now()
    const chain = subject?.network.caipNetworkId
    const { amount, purchase } = state.get()
    state.set({ ...initialState, amount, purchase, account: subject?.account, chain })
    if (!subject || chain === undefined || !onrampNamespaces.includes(namespaceOf(subject.account)))
      return patch({ status: 'unsupported' })
    try {
      if (!(await api.supports(chain))) {
        // Tells a network that the server does not support from a server that does not respond.
        await api.call({ ...getSupportedChains, query: v.object({}) }, { signal })
        if (!signal.aborted) patch({ status: 'unsupported' })
        return
      }
      const value = await api.call(getOnrampOptions, { signal })
      if (signal.aborted) return
      // A server that names no providers has the API of Coinbase.
      const offered = value.providers?.map(({ name }) => name) ?? ['coinbase' as const]
      const names = providersToOffer(providers, [...new Set(offered)])
      const offers = names.map((name) =>
        name === offered[0] ? { ...newOffer(name), options: { status: 'ready' as const, value } } : newOffer(name),
      )
      settle({ status: names.length === 0 ? 'none' : 'ready', offers })
      await Promise.all(names.flatMap((name) => (name === offered[0] ? [] : loadOptions(name, signal))))
    } catch (cause) {
      if (signal.aborted) return
      const error = toLatchkeyError(cause)
      const names = providersToOffer(providers, onrampProviderNames)
      const options = { status: 'failed' as const, error, value: usualOptions }
      settle({ status: 'failed', error, offers: names.map((name) => ({ ...newOffer(name), options })) })
    }
    if (!signal.aborted) void quote(0)
  }

  /** Requests a quote from each provider that sells what was chosen. Quotes for earlier choices are dropped. */
  async function quote(pauseMs: number): Promise<void> {
    quoting.abort()
    quoting = linkedController(page.signal, loading.signal)
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
            const value = await quoteOf(offer, signal)
            if (!signal.aborted) patchOffer(offer.provider, { quote: { status: 'ready', value } })
          } catch (error) {
            if (!signal.aborted)
              patchOffer(offer.provider, { quote: failed({ status: 'idle' }, toLatchkeyError(error)) })
          }
        }),
    )
  }

  async function quoteOf(offer: OnrampOffer, signal: AbortSignal): Promise<OnrampQuote> {
    const choice = state.get()
    const paymentCurrency = paymentCurrencyOf(offer, choice)
    const purchaseCurrency = purchaseCurrencyOf(offer, choice)
    if (!paymentCurrency || !purchaseCurrency) throw new LatchkeyError('request/aborted')
    const found = await api.call(postOnrampQuote, {
      query: { provider: offer.provider },
      body: { purchaseCurrency, paymentCurrency, amount: plainAmount(choice.amount), network: purchaseCurrency.symbol },
      signal,
    })
    // Providers fall back to other currencies. A quote in another one would be shown as if it were in this one.
    const isFor =
      found.paymentTotal.currency === paymentCurrency.id && found.purchaseAmount.currency === purchaseCurrency.symbol
    if (!isFor) throw new LatchkeyError('http/malformed', { url: postOnrampQuote.path })
    return found
  }

  async function requestUrl(offer: OnrampOffer, choice: OnrampState, signal: AbortSignal): Promise<string> {
    const purchaseCurrency = purchaseCurrencyOf(offer, choice)
    const [network] = purchaseCurrency?.networks ?? []
    if (!purchaseCurrency || !network || !choice.account || !choice.currency)
      throw new LatchkeyError('input/invalid', { path: 'token', message: 'is not sold by this provider' })
    const address = addressOf(choice.account)
    const [method] = paymentCurrencyOf(offer, choice)?.payment_method_limits ?? []
    const { url } = await api.call(postOnrampUrl, {
      query: { provider: offer.provider },
      body: {
        destinationWallets: [{ address, blockchains: [network.name], assets: [purchaseCurrency.symbol] }],
        partnerUserId: address,
        defaultNetwork: network.name,
        defaultExperience: 'buy',
        // JSON has no decimal numbers. The provider shows the amount, and the buyer confirms it there.
        presetFiatAmount: Number(plainAmount(choice.amount)),
        fiatCurrency: choice.currency,
        ...(method && { paymentMethod: method.id }),
      },
      signal,
    })
    return url
  }

  async function start(offer: OnrampOffer, choice: OnrampState, signal: AbortSignal): Promise<void> {
    const { purchase } = state.get()
    if (!purchase) return
    try {
      const [url, earlier] = await Promise.all([
        requestUrl(offer, choice, signal),
        readPurchases({ api, signal }, purchase).then(
          (items) => items.map(({ id }) => id),
          () => undefined,
        ),
      ])
      if (signal.aborted) return
      known = earlier
      if (show(url)) patchPurchase({ status: 'waiting' })
      else patchPurchase({ status: 'blocked', url })
      save()
      await follow(signal)
    } catch (error) {
      if (signal.aborted) return
      closePopup()
      patchPurchase({ status: 'failed', error: toLatchkeyError(error) })
      save()
    }
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const { purchase } = state.get()
    if (!purchase) return
    await followPurchase({
      purchase,
      known,
      api,
      clock,
      signal,
      report({ status, ...change }) {
        // The user can open the link of a blocked window between two reports.
        const isSame = status === 'blocked' || status === 'waiting'
        patchPurchase(isSame ? change : { status, ...change })
        save()
        if (status === 'arrived') arrived()
      },
    })
  }

  /** Shows the provider's page in the window. Returns `false` if there is no window. */
  function show(url: string): boolean {
    if (!popup) return false
    try {
      // The provider's page must not be able to navigate this one.
      popup.opener = null
      popup.location.replace(url)
      return true
    } catch {
      return false
    }
  }

  function closePopup(): void {
    try {
      popup?.close()
    } catch {
      // A window that COOP has separated from this page stays open.
    }
    popup = null
  }

  function restart(): void {
    following.abort()
    following = linkedController(page.signal)
    void follow(following.signal)
  }

  const isCurrent = (): boolean => {
    const subject = now()
    const { account, chain } = state.get()
    return subject !== undefined && subject.account === account && subject.network.caipNetworkId === chain
  }
  const changed = (change: Partial<OnrampState>): void => {
    settle(change)
    save()
    void quote(debounceMs)
  }

  if (unfinished && clock.now() - unfinished.startedAt < resumableMs) {
    const { known: earlier, ...purchase } = unfinished
    known = earlier
    patch({ purchase: { ...purchase, status: 'waiting' } })
    restart()
  }

  return {
    state,
    opened: () => track({ event: 'SELECT_BUY_CRYPTO', properties: { isSmartAccount: isSmartAccount() } }),
    async load() {
      const isLoaded = ['loading', 'ready', 'none'].includes(state.get().status)
      if (!running || !isCurrent() || !isLoaded) running = loadAll()
      await running
    },
    async retry() {
      running = loadAll()
      await running
    },
    setAmount: (text) => changed({ amount: text.trim().replace(',', '.').slice(0, 12) }),
    setCurrency(currency) {
      wanted.currency = currency
      changed({})
    },
    setToken({ symbol }) {
      wanted.symbol = symbol
      changed({})
    },
    buy(provider) {
      const choice = state.get()
      const offer = choice.offers.find((item) => item.provider === provider)
      const { account, chain, token, currency, amount } = choice
      // The account or network can have changed since the screen was drawn.
      if (!isCurrent()) {
        running = loadAll()
        return
      }
      if (!offer || offer.problem || !account || !chain || !token || !currency || !amountOf(amount)) return
      following.abort()
      following = linkedController(page.signal)
      closePopup()
      popup = open('about:blank', 'latchkey-onramp', 'popup,width=600,height=800')
      known = undefined
      track({ event: 'SELECT_BUY_PROVIDER', properties: { provider, isSmartAccount: isSmartAccount() } })
      const startedAt = clock.now()
      patch({
        purchase: { provider, account, chain, symbol: token.symbol, amount, currency, startedAt, status: 'opening' },
      })
      void start(offer, choice, following.signal)
    },
    resume() {
      const { purchase } = state.get()
      if (!purchase || !pendingStatuses.includes(purchase.status)) return
      const follows = (): void => {
        // The link of a blocked window is for one use.
        patchPurchase({ status: purchase.transaction ? 'paid' : 'waiting', url: undefined })
        restart()
      }
      // A browser does not open a link that has disappeared before its click has ended.
      if (purchase.status === 'blocked') clock.after(0, follows)
      else follows()
    },
    dismiss() {
      following.abort()
      closePopup()
      patch({ purchase: undefined })
      save()
    },
    stop() {
      page.abort()
    },
  }
}

/** Returns what is kept of a purchase over a reload. */
function stored(
  { provider, account, chain, symbol, amount, currency, startedAt }: OnrampPurchase,
  known: readonly string[] | undefined,
): v.InferOutput<typeof draftSchema>['purchase'] {
  const purchase = { provider, account, chain, symbol, amount, currency, startedAt }
  return known ? { ...purchase, known: known.slice(0, 50) } : purchase
}
