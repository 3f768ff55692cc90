import type { LocalChain } from '@latchkey/testing'
import type { TestToken } from '@latchkey/testing/node'
import { formatUnits, parseUnits } from 'viem'

/** A currency or token that the mock seller offers. */
export interface MockAsset {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  /** The price in US dollars, with at most two decimals. */
  readonly price: string
  readonly networks: readonly MockNetwork[]
}

/** A local chain on which an asset is delivered. */
export interface MockNetwork {
  /** The seller's name for the chain, such as `bakery-chain`. */
  readonly name: string
  readonly chain: LocalChain
  /** The token contract. Absent for the native currency. */
  readonly contract?: `0x${string}`
}

/** The limits of each payment method, as decimal text. */
export const mockLimits = [
  { id: 'CARD', min: '10.00', max: '7500.00' },
  { id: 'ACH_BANK_ACCOUNT', min: '10.00', max: '25000.00' },
] as const

/** The fiat currencies with their exchange rates to US dollars, which are not real rates. */
export const mockCurrencies: Readonly<Record<string, string>> = { USD: '1', EUR: '1.10' }

/** The fee of the seller, in basis points. */
const feeBps = 150n
/** The fee for the delivery, in cents of the fiat currency. */
const networkFeeCents = 10n

/** Returns the assets that the seller offers: the native currency of every local chain, and the test token. */
export function mockAssets({
  chains,
  token,
}: {
  chains: readonly LocalChain[]
  token: TestToken & { readonly chainId: number }
}): readonly MockAsset[] {
  const networks = chains.map((chain): MockNetwork => ({ name: chain.name.toLowerCase().replaceAll(' ', '-'), chain }))
  return [
    { id: 'mock-ether', name: 'Ether', symbol: 'ETH', decimals: 18, price: '2961', networks },
    {
      id: 'mock-test-dollar',
      name: token.name,
      symbol: token.symbol,
      decimals: token.decimals,
      price: '1',
      networks: networks
        .filter(({ chain }) => chain.id === token.chainId)
        .map((network) => ({ ...network, contract: token.address })),
    },
  ]
}

/** A quote of the seller. Fiat amounts are in cents. */
export interface MockQuote {
  readonly total: bigint
  readonly subtotal: bigint
  readonly fee: bigint
  readonly networkFee: bigint
  /** The amount that is delivered, in base units. */
  readonly delivered: bigint
}

/**
 * Returns the quote for a payment of `total` cents, or `undefined` if it does not exceed the fees or the currency is unknown.
 */
export function mockQuote({
  asset,
  currency,
  total,
}: {
  asset: MockAsset
  currency: string
  total: bigint
}): MockQuote | undefined {
  const rate = mockCurrencies[currency]
  const fee = (total * feeBps) / 10_000n
  const subtotal = total - fee - networkFeeCents
  if (rate === undefined || subtotal <= 0n) return undefined
  // Rates and prices are both scaled by 100, which cancels out. The other factor of 100 converts the subtotal from cents.
  const delivered =
    (subtotal * parseUnits(rate, 2) * 10n ** BigInt(asset.decimals)) / (parseUnits(asset.price, 2) * 100n)
  return { total, subtotal, fee, networkFee: networkFeeCents, delivered }
}

/** Returns the cents of a decimal amount within the limits of a payment method, or `undefined`. */
export function mockCents(amount: string): bigint | undefined {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(amount)) return undefined
  const cents = parseUnits(amount, 2)
  const isAllowed = mockLimits.some(({ min, max }) => cents >= parseUnits(min, 2) && cents <= parseUnits(max, 2))
  return isAllowed ? cents : undefined
}

/** Formats cents with two decimals, such as `10.50`. */
export function centsText(cents: bigint): string {
  const [whole = '0', fraction = ''] = formatUnits(cents, 2).split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}
