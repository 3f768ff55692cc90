import { formatUnits, multiplyDecimals, parseUnits } from '@latchkey/protocol/amount'
import type { TransferFee } from '../../adapter.ts'
import type { Token } from '../portfolioTypes.ts'
import type { AmountUnit } from './sendTypes.ts'

/** The number of decimal places of an amount in US dollars. */
const fiatDecimals = 2

/**
 * Converts entered text to base units of the token, rounded down. Returns `undefined` if the text is not an amount, has too many
 * decimal places, or is in dollars and the token has no price.
 */
export function parseAmount(text: string, unit: AmountUnit, token: Token): bigint | undefined {
  if (unit === 'token') return parseUnits(text, token.decimals)
  const dollars = parseUnits(text, fiatDecimals)
  const price = priceOf(token)
  if (dollars === undefined || price === undefined) return undefined
  // dollars / 10^2 = units / 10^decimals × price / 10^places
  return (dollars * 10n ** BigInt(token.decimals + price.places)) / (price.units * 10n ** BigInt(fiatDecimals))
}

/** Returns the value of an amount in US dollars, as exact decimal text. `undefined` if the token has no price. */
export function fiatValue(amount: bigint, token: Token): string | undefined {
  return token.price && multiplyDecimals(formatUnits(amount, token.decimals), token.price.amount)
}

/** Returns the text for an amount in a unit: exact in the token, and rounded down to cents in US dollars. */
export function amountText(amount: bigint, unit: AmountUnit, token: Token): string {
  if (unit === 'token') return formatUnits(amount, token.decimals)
  const [whole = '', fraction = ''] = (fiatValue(amount, token) ?? '').split('.')
  return fraction ? `${whole}.${fraction.slice(0, fiatDecimals)}` : whole
}

/**
 * Returns the maximum amount that can be sent: the balance, minus the maximum fee if the token is the network's currency. Returns
 * `undefined` if the fee is needed but unknown, and 0 if the balance does not cover the fee.
 */
export function maxAmount(token: Token, fee: TransferFee | undefined): bigint | undefined {
  if (token.address !== undefined) return token.amount
  if (!fee) return undefined
  return token.amount > fee.maxAmount ? token.amount - fee.maxAmount : 0n
}

function priceOf(token: Token): { readonly units: bigint; readonly places: number } | undefined {
  if (!token.price) return undefined
  const places = token.price.amount.split('.')[1]?.length ?? 0
  const units = parseUnits(token.price.amount, places)
  return units !== undefined && units > 0n ? { units, places } : undefined
}
