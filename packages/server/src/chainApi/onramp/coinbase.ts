import type { HistoryTransaction, OnrampAmount, OnrampOptions } from '@latchkey/protocol/http/chainApi'
import * as v from 'valibot'
import type { CoinbaseConfig } from '../../config/onrampConfig.ts'
import type { ReadCache } from '../readCache.ts'
import { createCoinbaseTokens } from './coinbaseToken.ts'
import { chainOfNetwork, customerIdOf, decimalText, type OnrampProvider, purchasePageSize } from './onrampProvider.ts'
import { createProviderApi } from './providerApi.ts'

const short = v.pipe(v.string(), v.maxLength(200))
const amount = v.object({ value: decimalText, currency: short })

const optionsAnswer = v.object({
  paymentCurrencies: v.pipe(
    v.array(v.object({ id: short, limits: v.array(v.object({ id: short, min: decimalText, max: decimalText })) })),
    v.maxLength(200),
  ),
  purchaseCurrencies: v.pipe(
    v.array(
      v.object({
        id: short,
        name: v.string(),
        symbol: v.string(),
        networks: v.array(
          v.object({
            name: short,
            displayName: v.fallback(v.string(), ''),
            chainId: v.fallback(short, ''),
            contractAddress: v.fallback(short, ''),
          }),
        ),
      }),
    ),
    v.maxLength(2_000),
  ),
})

const quoteAnswer = v.object({
  paymentTotal: amount,
  paymentSubtotal: amount,
  purchaseAmount: amount,
  coinbaseFee: amount,
  networkFee: amount,
  quoteId: short,
})

const tokenAnswer = v.object({ token: v.pipe(v.string(), v.regex(/^[\w.~+/=-]{1,4096}$/)) })

const transaction = v.object({
  transactionId: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
  status: v.picklist([
    'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS',
    'ONRAMP_TRANSACTION_STATUS_SUCCESS',
    'ONRAMP_TRANSACTION_STATUS_FAILED',
  ]),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  walletAddress: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  purchaseNetwork: v.fallback(short, ''),
  purchaseCurrency: v.fallback(short, ''),
  purchaseAmount: amount,
  txHash: v.fallback(v.pipe(v.string(), v.maxLength(128)), ''),
})
const transactionsAnswer = v.object({
  transactions: v.pipe(v.array(v.unknown()), v.maxLength(purchasePageSize)),
  nextPageKey: v.fallback(v.pipe(v.string(), v.maxLength(1_000)), ''),
})

/** Creates the provider for Coinbase Onramp (https://docs.cdp.coinbase.com/onramp/reference). */
export function createCoinbase({
  config: { keyId, keySecret, apiUrl, payUrl },
  country,
  subdivision,
  reads,
  fetch,
  now,
}: {
  config: CoinbaseConfig
  country: string
  subdivision: string | undefined
  reads: ReadCache
  fetch: typeof globalThis.fetch
  /** Epoch milliseconds. */
  now: () => number
}): OnrampProvider {
  const tokenOf = createCoinbaseTokens({ keyId, keySecret, now })
  const api = createProviderApi({
    name: 'Coinbase',
    url: apiUrl,
    authorize: async (request) => ({ authorization: `Bearer ${await tokenOf(request)}` }),
    fetch,
  })

  const options = (signal: AbortSignal): Promise<OnrampOptions> =>
    reads.read({
      kind: 'tokens',
      key: 'coinbase',
      signal,
      load: async (shared) => {
        const query = { country, subdivision }
        const path = '/v1/buy/options'
        const found = await api.send({ method: 'GET', path, query, schema: optionsAnswer, signal: shared })
        return optionsOf(found)
      },
    })

  return {
    options,
    async quote({ purchaseCurrency, paymentCurrency, amount: paid }, { signal }) {
      const [network] = purchaseCurrency.networks
      const [method] = paymentCurrency.payment_method_limits
      const found = await api.send({
        method: 'POST',
        path: '/v1/buy/quote',
        body: {
          purchase_currency: purchaseCurrency.id,
          ...(network && { purchase_network: network.name }),
          payment_currency: paymentCurrency.id,
          payment_amount: paid,
          payment_method: (method?.id ?? 'CARD').toUpperCase(),
          country,
          ...(subdivision && { subdivision }),
        },
        schema: quoteAnswer,
        signal,
      })
      return {
        paymentTotal: amountOf(found.paymentTotal),
        paymentSubtotal: amountOf(found.paymentSubtotal),
        purchaseAmount: amountOf(found.purchaseAmount),
        coinbaseFee: amountOf(found.coinbaseFee),
        networkFee: amountOf(found.networkFee),
        quoteId: found.quoteId,
      }
    },
    async url(body, { signal, clientAddress }) {
      const assets = body.destinationWallets.flatMap((wallet) => wallet.assets ?? [])
      const { token } = await api.send({
        method: 'POST',
        path: '/v1/token',
        body: {
          addresses: body.destinationWallets.map(({ address, blockchains, supported_networks }) => ({
            address,
            blockchains: blockchains ?? supported_networks ?? [body.defaultNetwork ?? 'ethereum'],
          })),
          ...(assets.length > 0 && { assets: [...new Set(assets)] }),
          ...(clientAddress !== undefined && { clientIp: clientAddress }),
        },
        schema: tokenAnswer,
        signal,
      })
      // Coinbase intends the token to be part of the URL. It can be used once, within five minutes. The URL contains neither
      // the key nor the destination wallets.
      const url = new URL(`${payUrl}/buy/select-asset`)
      const params = {
        sessionToken: token,
        partnerUserRef: customerIdOf(body.partnerUserId),
        defaultExperience: body.defaultExperience,
        defaultNetwork: body.defaultNetwork,
        defaultAsset: assets[0],
        defaultPaymentMethod: body.paymentMethod?.toUpperCase(),
        fiatCurrency: body.fiatCurrency,
        presetFiatAmount: body.presetFiatAmount,
        presetCryptoAmount: body.presetCryptoAmount,
      }
      for (const [name, value] of Object.entries(params))
        if (value !== undefined) url.searchParams.set(name, String(value))
      return url.href
    },
    async purchases(address, cursor, signal) {
      const [found, chains] = await Promise.all([
        api.send({
          method: 'GET',
          path: `/v1/buy/user/${encodeURIComponent(customerIdOf(address))}/transactions`,
          query: { page_size: String(purchasePageSize), page_key: cursor },
          schema: transactionsAnswer,
          signal,
        }),
        // This only determines the chain of a purchase. If it fails, the purchases are still listed.
        options(signal).then(chainsByNetwork, () => new Map<string, string>()),
      ])
      const data = found.transactions.flatMap((value): readonly HistoryTransaction[] => {
        const parsed = v.safeParse(transaction, value)
        // Anyone can choose the user ID of a purchase, so the address that received it is checked.
        if (!parsed.success || parsed.output.walletAddress.toLowerCase() !== address.toLowerCase()) return []
        return [historyItem(parsed.output, { address, chains })]
      })
      return { data, next: found.nextPageKey || null }
    },
  }
}

const amountOf = ({ value, currency }: { value: string; currency: string }): OnrampAmount => ({
  amount: value,
  currency,
})

function chainsByNetwork({ purchaseCurrencies }: OnrampOptions): ReadonlyMap<string, string> {
  const networks = purchaseCurrencies.flatMap((currency) => currency.networks)
  return new Map(
    networks.flatMap((network) => {
      const chain = chainOfNetwork(network)
      return chain === undefined ? [] : [[network.name, chain] as const]
    }),
  )
}

function optionsOf(found: v.InferOutput<typeof optionsAnswer>): OnrampOptions {
  return {
    paymentCurrencies: found.paymentCurrencies.map(({ id, limits }) => ({ id, payment_method_limits: limits })),
    purchaseCurrencies: found.purchaseCurrencies.map(({ networks, ...currency }) => ({
      ...currency,
      networks: networks.map(({ name, displayName, chainId, contractAddress }) => ({
        name,
        display_name: displayName || name,
        chain_id: chainId,
        contract_address: contractAddress,
      })),
    })),
  }
}

function historyItem(
  item: v.InferOutput<typeof transaction>,
  { address, chains }: { address: string; chains: ReadonlyMap<string, string> },
): HistoryTransaction {
  return {
    id: item.transactionId,
    metadata: {
      operationType: 'buy',
      hash: item.txHash,
      minedAt: item.createdAt,
      sentFrom: 'Coinbase',
      sentTo: address,
      status: item.status,
      nonce: 1,
      application: { name: 'Coinbase', iconUrl: null },
      chain: chains.get(item.purchaseNetwork) ?? null,
    },
    transfers: [
      {
        fungible_info: {
          name: item.purchaseAmount.currency,
          symbol: item.purchaseAmount.currency,
          icon: null,
        },
        nft_info: null,
        direction: 'in',
        quantity: { numeric: item.purchaseAmount.value },
        value: null,
        price: null,
      },
    ],
  }
}
