import { formatUnits, parseUnits } from '@latchkey/protocol/amount'
import type { ChainId } from '@latchkey/protocol/caip'
import type {
  OnrampOptions,
  OnrampProviderName,
  PaymentCurrency,
  PurchaseCurrency,
} from '@latchkey/protocol/http/chainApi'
import type { OnrampOffer, OnrampProblem, OnrampState, OnrampToken } from './onrampTypes.ts'

/** The number of decimal places for comparing fiat amounts. */
const places = 6

const labels: Readonly<Record<OnrampProviderName, string>> = { coinbase: 'Coinbase', meld: 'Meld.io' }

/** The fee range of both providers, in percent. */
export const onrampFeePercent = { min: 1, max: 2 } as const

/**
 * Returns the providers to offer, in the host's order. Unknown names are omitted. `true` offers all providers, and an invalid
 * value offers none. `configured` is the option `features.onramp`.
 */
export function providersToOffer(
  configured: unknown,
  offered: readonly OnrampProviderName[],
): readonly OnrampProviderName[] {
  if (configured === undefined || configured === true) return offered
  if (!Array.isArray(configured)) return []
  return [...new Set(configured)].filter((name): name is OnrampProviderName => offered.includes(name))
}

/**
 * Returns the providers that the server has and that this page offers. A server that does not report its providers only has
 * Coinbase.
 */
export function offeredProviders(configured: unknown, { providers }: OnrampOptions): readonly OnrampProviderName[] {
  return providersToOffer(configured, [...new Set(providers?.map(({ name }) => name) ?? ['coinbase' as const])])
}

/** Creates the offer of a provider whose options are not loaded yet. */
export function newOffer(provider: OnrampProviderName): OnrampOffer {
  return {
    provider,
    label: labels[provider],
    feePercent: onrampFeePercent,
    options: { status: 'loading' },
    limits: [],
    problem: undefined,
    quote: { status: 'idle' },
  }
}

/** The user's choice. */
type Choice = Pick<OnrampState, 'amount' | 'currency' | 'token'>

/** Returns the provider's currency for `currency`, with the payment methods that accept the amount. */
export function paymentCurrencyOf({ options }: OnrampOffer, { currency, amount }: Choice): PaymentCurrency | undefined {
  const found = options.value?.paymentCurrencies.find(({ id }) => id === currency)
  return (
    found && { ...found, payment_method_limits: found.payment_method_limits.filter((limit) => fits(amount, limit)) }
  )
}

/** Returns the provider's currency for `token`, with only the network on which it is delivered. */
export function purchaseCurrencyOf({ options }: OnrampOffer, { token }: Choice): PurchaseCurrency | undefined {
  if (!token) return undefined
  for (const currency of options.value?.purchaseCurrencies ?? []) {
    const network = currency.networks.find((item) => chainOf(item) === token.chain)
    if (currency.symbol === token.symbol && network) return { ...currency, networks: [network] }
  }
  return undefined
}

/** Returns the offer with its limits and problem for the user's choice. The quote is kept. */
export function judgedOffer(offer: OnrampOffer, choice: Choice): OnrampOffer {
  const limits = offer.options.value?.paymentCurrencies.find(({ id }) => id === choice.currency)?.payment_method_limits
  return { ...offer, limits: limits ?? [], problem: problemOf(offer, choice) }
}

function problemOf(offer: OnrampOffer, choice: Choice): OnrampProblem | undefined {
  if (!offer.options.value) return undefined
  const currency = offer.options.value.paymentCurrencies.find(({ id }) => id === choice.currency)
  if (!currency) return 'currency'
  if (!purchaseCurrencyOf(offer, choice)) return 'token'
  const amount = amountOf(choice.amount)
  const limits = currency.payment_method_limits
  if (amount === undefined || limits.length === 0 || limits.some((limit) => fits(choice.amount, limit)))
    return undefined
  return limits.some(({ max }) => amount <= (parseUnits(max, places) ?? 0n)) ? 'too-little' : 'too-much'
}

/** Returns the entered amount in units of 10⁻⁶, or `undefined` if the text is not an amount above zero. */
export function amountOf(text: string): bigint | undefined {
  const amount = /^\d{0,9}(\.\d{0,2})?$/.test(text) ? parseUnits(text, places) : undefined
  return amount === 0n ? undefined : amount
}

/** Returns the amount without an incomplete fraction, such as `100` for `100.`. */
export function plainAmount(text: string): string {
  return formatUnits(amountOf(text) ?? 0n, places)
}

function fits(text: string, { min, max }: PaymentCurrency['payment_method_limits'][number]): boolean {
  const [amount, least, most] = [amountOf(text), parseUnits(min, places), parseUnits(max, places)]
  return amount !== undefined && least !== undefined && most !== undefined && amount >= least && amount <= most
}

/** Returns the currencies that at least one offer accepts, in the order of the offers. */
export function currenciesOf(offers: readonly OnrampOffer[]): readonly string[] {
  return [...new Set(offers.flatMap(({ options }) => options.value?.paymentCurrencies.map(({ id }) => id) ?? []))]
}

/** Returns the tokens that at least one offer sells on `chain`, in the order of the offers. */
export function tokensOf(offers: readonly OnrampOffer[], chain: ChainId | undefined): readonly OnrampToken[] {
  const tokens = new Map<string, OnrampToken>()
  for (const { symbol, name, networks } of offers.flatMap(({ options }) => options.value?.purchaseCurrencies ?? []))
    if (chain !== undefined && !tokens.has(symbol) && networks.some((network) => chainOf(network) === chain))
      tokens.set(symbol, { symbol, name, chain })
  return [...tokens.values()]
}

/** Returns the chain of a provider's network. Providers have no chain ID for Solana, so it is recognized by its name. */
function chainOf({ name, chain_id }: PurchaseCurrency['networks'][number]): string | undefined {
  if (name.toLowerCase() === 'solana') return 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  return /^[1-9]\d{0,15}$/.test(chain_id) ? `eip155:${chain_id}` : undefined
}
