import { addressOf } from '@latchkey/protocol/caip'
import { type OnrampQuote, postOnrampQuote, postOnrampUrl } from '@latchkey/protocol/http/chainApi'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { containsOtherAddress } from './containsOtherAddress.ts'
import { paymentCurrencyOf, plainAmount, purchaseCurrencyOf } from './onrampOffers.ts'
import type { OnrampOffer, OnrampState } from './onrampTypes.ts'

interface RequestContext {
  readonly api: ChainApiClient
  readonly signal: AbortSignal
}

/** Resolves to the quote of an offer's provider. Rejects with `http/malformed` if the quote is for another currency or token. */
export async function requestQuote(
  { api, signal }: RequestContext,
  offer: OnrampOffer,
  choice: OnrampState,
): Promise<OnrampQuote> {
  const paymentCurrency = paymentCurrencyOf(offer, choice)
  const purchaseCurrency = purchaseCurrencyOf(offer, choice)
  if (!paymentCurrency || !purchaseCurrency) throw new LatchkeyError('request/aborted')
  const found = await api.call(postOnrampQuote, {
    query: { provider: offer.provider },
    body: { purchaseCurrency, paymentCurrency, amount: plainAmount(choice.amount), network: purchaseCurrency.symbol },
    signal,
  })
  // Providers fall back to other currencies. Such a quote would be displayed with the wrong currency.
  const isFor =
    found.paymentTotal.currency === paymentCurrency.id && found.purchaseAmount.currency === purchaseCurrency.symbol
  if (!isFor) throw new LatchkeyError('http/malformed', { url: postOnrampQuote.path })
  return found
}

/**
 * Resolves to the URL of the provider's page, for the account, token, currency and amount of `choice`. Rejects with `http/malformed`
 * if the URL names another address.
 */
export async function requestPaymentUrl(
  { api, signal }: RequestContext,
  offer: OnrampOffer,
  choice: OnrampState,
): Promise<string> {
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
      // A JSON number might not represent the amount exactly, but the buyer confirms the amount on the provider's page.
      presetFiatAmount: Number(plainAmount(choice.amount)),
      fiatCurrency: choice.currency,
      ...(method && { paymentMethod: method.id }),
    },
    signal,
  })
  if (containsOtherAddress(url, choice.account)) throw new LatchkeyError('http/malformed', { url: postOnrampUrl.path })
  return url
}
