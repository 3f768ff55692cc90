import { formatUnits, parseUnits } from '@latchkey/protocol/amount'
import type { HistoryTransaction, OnrampOptions, OnrampQuote, PurchaseCurrency } from '@latchkey/protocol/http/chainApi'
import { isWebLink } from '@latchkey/protocol/safeLinks'
import * as v from 'valibot'
import type { MeldConfig } from '../../config/onrampConfig.ts'
import { HttpError } from '../../errors/httpError.ts'
import type { ReadCache } from '../readCache.ts'
import { chainOfNetwork, customerIdOf, decimalText, type OnrampProvider, purchasePageSize } from './onrampProvider.ts'
import { createProviderApi } from './providerApi.ts'

/** The version of the API (https://docs.meld.io). */
const version = '2023-12-19'
/** The number of decimal places for calculations. */
const places = 18

const short = v.pipe(v.string(), v.maxLength(200))

/** An amount, which Meld sends as a JSON number. It is converted to decimal text. */
const amount = v.pipe(
  v.union([decimalText, v.pipe(v.number(), v.finite(), v.minValue(0))]),
  v.transform((value) =>
    typeof value === 'string'
      ? value
      : value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: places }),
  ),
)

const cryptoCurrency = v.object({
  currencyCode: short,
  name: v.fallback(v.string(), ''),
  chainCode: short,
  chainName: v.fallback(v.string(), ''),
  chainId: v.pipe(
    v.nullish(v.union([short, v.number()]), ''),
    v.transform((id) => String(id)),
  ),
  contractAddress: v.nullish(short, ''),
})
const limits = v.object({ currencyCode: short, minimumAmount: amount, maximumAmount: amount })
const listOf = <Item>(item: v.GenericSchema<unknown, Item>) =>
  v.pipe(
    v.array(v.unknown()),
    v.maxLength(5_000),
    v.transform((values) =>
      values.flatMap((value) => {
        const parsed = v.safeParse(item, value)
        return parsed.success ? [parsed.output] : []
      }),
    ),
  )

const quote = v.object({
  serviceProvider: short,
  sourceAmount: amount,
  sourceCurrencyCode: short,
  destinationAmount: amount,
  destinationCurrencyCode: short,
  totalFee: amount,
  networkFee: v.nullish(amount, '0'),
})
const quotesAnswer = v.object({ quotes: v.nullish(listOf(quote)) })
const widgetAnswer = v.object({ widgetUrl: v.pipe(v.string(), v.maxLength(8_000), v.check(isWebLink)) })

const transaction = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
  key: v.fallback(v.optional(short), undefined),
  status: short,
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  destinationAmount: v.nullish(amount),
  destinationCurrencyCode: short,
  cryptoDetails: v.object({
    walletAddress: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
    blockchainTransactionId: v.fallback(v.nullish(v.pipe(v.string(), v.maxLength(128))), ''),
  }),
})
const transactionsAnswer = v.object({
  transactions: v.pipe(v.array(v.unknown()), v.maxLength(purchasePageSize)),
  remaining: v.fallback(v.number(), 0),
})

/** Creates the provider for Meld, which compares several sellers of crypto (https://docs.meld.io). */
export function createMeld({
  config: { apiKey, apiUrl },
  country,
  subdivision,
  reads,
  fetch,
}: {
  config: MeldConfig
  country: string
  subdivision: string | undefined
  reads: ReadCache
  fetch: typeof globalThis.fetch
}): OnrampProvider {
  const api = createProviderApi({
    name: 'Meld',
    url: apiUrl,
    authorize: async () => ({ authorization: `BASIC ${apiKey}`, 'meld-version': version }),
    fetch,
  })

  const options = (signal: AbortSignal): Promise<OnrampOptions> =>
    reads.read({
      kind: 'tokens',
      key: 'meld',
      signal,
      load: async (shared) => {
        const query = { accountFilter: 'true', countries: country, categories: 'CRYPTO_ONRAMP' }
        const [currencies, ranges] = await Promise.all([
          api.send({
            method: 'GET',
            path: '/service-providers/properties/crypto-currencies',
            query,
            schema: listOf(cryptoCurrency),
            signal: shared,
          }),
          api.send({
            method: 'GET',
            path: '/service-providers/limits/fiat-currency-purchases',
            query,
            schema: listOf(limits),
            signal: shared,
          }),
        ])
        return {
          paymentCurrencies: ranges.slice(0, 200).map(({ currencyCode, minimumAmount, maximumAmount }) => ({
            id: currencyCode,
            // Meld has no limits for each payment method.
            payment_method_limits: [{ id: 'ALL', min: minimumAmount, max: maximumAmount }],
          })),
          purchaseCurrencies: currencies.slice(0, 2_000).map(purchaseCurrencyOf),
        }
      },
    })

  async function quotes(
    params: { source: string; amount: string; destination: string },
    signal: AbortSignal,
  ): Promise<readonly v.InferOutput<typeof quote>[]> {
    const { quotes: found } = await api.send({
      method: 'POST',
      path: '/payments/crypto/quote',
      body: {
        countryCode: country,
        ...(subdivision && { subdivision }),
        sourceCurrencyCode: params.source,
        sourceAmount: params.amount,
        destinationCurrencyCode: params.destination,
      },
      schema: quotesAnswer,
      signal,
    })
    // Ignore quotes for a different currency or token.
    const fitting = (found ?? []).filter(
      ({ sourceCurrencyCode, destinationCurrencyCode }) =>
        sourceCurrencyCode === params.source && destinationCurrencyCode === params.destination,
    )
    const sorted = [...fitting].sort((a, b) => compare(b.destinationAmount, a.destinationAmount))
    if (sorted.length === 0) throw new HttpError(400, 'onramp', 'Meld: nobody sells this amount')
    return sorted
  }

  return {
    options,
    async quote({ purchaseCurrency, paymentCurrency, amount: paid }, { signal }) {
      const params = { source: paymentCurrency.id, amount: paid, destination: purchaseCurrency.id }
      const [best] = await quotes(params, signal)
      if (!best) throw new HttpError(400, 'onramp', 'Meld: nobody sells this amount')
      return quoteOf(best, purchaseCurrency.symbol)
    },
    async url(body, { signal }) {
      const [wallet] = body.destinationWallets
      const { fiatCurrency, presetFiatAmount } = body
      if (!wallet || fiatCurrency === undefined || presetFiatAmount === undefined)
        throw new HttpError(400, 'presetFiatAmount', 'Meld needs the currency and the amount that is paid')
      const { purchaseCurrencies } = await options(signal)
      const currency = purchaseCurrencies.find(
        ({ id, symbol, networks }) =>
          (wallet.assets ?? []).some((asset) => asset === id || asset === symbol) &&
          networks.some(({ name }) => (wallet.blockchains ?? []).includes(name)),
      )
      if (!currency) throw new HttpError(400, 'destinationWallets', 'Meld does not sell this asset on this network')
      const paid = presetFiatAmount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 2 })
      const [best] = await quotes({ source: fiatCurrency, amount: paid, destination: currency.id }, signal)
      const { widgetUrl } = await api.send({
        method: 'POST',
        path: '/crypto/session/widget',
        body: {
          sessionType: 'BUY',
          externalCustomerId: customerIdOf(body.partnerUserId),
          sessionData: {
            countryCode: country,
            serviceProvider: best?.serviceProvider,
            sourceCurrencyCode: fiatCurrency,
            sourceAmount: paid,
            destinationCurrencyCode: currency.id,
            walletAddress: wallet.address,
          },
        },
        schema: widgetAnswer,
        signal,
      })
      return widgetUrl
    },
    async purchases(address, cursor, signal) {
      const [found, known] = await Promise.all([
        api.send({
          method: 'GET',
          path: '/payments/transactions',
          query: { externalCustomerIds: customerIdOf(address), limit: String(purchasePageSize), before: cursor },
          schema: transactionsAnswer,
          signal,
        }),
        options(signal).then(
          ({ purchaseCurrencies }) => new Map(purchaseCurrencies.map((currency) => [currency.id, currency])),
          () => new Map<string, PurchaseCurrency>(),
        ),
      ])
      const items = found.transactions.flatMap((value) => {
        const parsed = v.safeParse(transaction, value)
        return parsed.success ? [parsed.output] : []
      })
      const data = items
        // Anyone can choose the customer ID of a purchase, so the address that received it is checked.
        .filter(({ cryptoDetails }) => cryptoDetails.walletAddress.toLowerCase() === address.toLowerCase())
        .map((item) => purchaseOf(item, address, known.get(item.destinationCurrencyCode)))
      return { data, next: (found.remaining > 0 && items.at(-1)?.key) || null }
    },
  }
}

function purchaseCurrencyOf(currency: v.InferOutput<typeof cryptoCurrency>): PurchaseCurrency {
  const { currencyCode, chainCode } = currency
  const suffix = `_${chainCode}`
  const symbol = currencyCode.endsWith(suffix) ? currencyCode.slice(0, -suffix.length) : currencyCode
  return {
    id: currencyCode,
    name: currency.name || symbol,
    symbol,
    networks: [
      {
        name: chainCode,
        display_name: currency.chainName || chainCode,
        chain_id: currency.chainId,
        contract_address: currency.contractAddress,
      },
    ],
  }
}

function quoteOf(found: v.InferOutput<typeof quote>, symbol: string): OnrampQuote {
  const fiat = (value: bigint) => ({ amount: formatUnits(value, places), currency: found.sourceCurrencyCode })
  const total = units(found.sourceAmount)
  const fees = units(found.totalFee)
  const networkFee = units(found.networkFee)
  if (fees > total || networkFee > fees)
    throw new HttpError(503, 'server', 'Meld responded with fees that do not add up', 5)
  return {
    paymentTotal: fiat(total),
    paymentSubtotal: fiat(total - fees),
    purchaseAmount: { amount: found.destinationAmount, currency: symbol },
    coinbaseFee: fiat(fees - networkFee),
    networkFee: fiat(networkFee),
    quoteId: found.serviceProvider,
  }
}

function purchaseOf(
  item: v.InferOutput<typeof transaction>,
  address: string,
  currency: PurchaseCurrency | undefined,
): HistoryTransaction {
  const [network] = currency?.networks ?? []
  const symbol = currency?.symbol ?? item.destinationCurrencyCode
  return {
    id: `meld-${item.id}`,
    metadata: {
      operationType: 'buy',
      hash: item.cryptoDetails.blockchainTransactionId ?? '',
      minedAt: item.createdAt,
      sentFrom: 'Meld',
      sentTo: address,
      status: statusOf(item.status),
      nonce: 1,
      application: { name: 'Meld', iconUrl: null },
      chain: (network && chainOfNetwork(network)) ?? null,
    },
    transfers: [
      {
        fungible_info: { name: currency?.name ?? symbol, symbol, icon: null },
        nft_info: null,
        direction: 'in',
        quantity: { numeric: item.destinationAmount ?? '0' },
        value: null,
        price: null,
      },
    ],
  }
}

function statusOf(status: string): string {
  if (status === 'SETTLED') return 'ONRAMP_TRANSACTION_STATUS_SUCCESS'
  return /^(AUTHORIZATION_EXPIRED|REFUNDED|DECLINED|CANCELLED|FAILED|ERROR|VOIDED)$/.test(status)
    ? 'ONRAMP_TRANSACTION_STATUS_FAILED'
    : 'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS'
}

const units = (text: string): bigint => parseUnits(cut(text), places) ?? 0n

/** Removes digits beyond the number of decimal places for calculations. */
const cut = (text: string): string => text.replace(/^(\d+\.\d{18})\d+$/, '$1')

const compare = (a: string, b: string): number => {
  const difference = units(a) - units(b)
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}
