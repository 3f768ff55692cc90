import { formatUnits, multiplyDecimals, parseUnits } from '@latchkey/protocol/amount'
import type { ConvertFee } from '@latchkey/protocol/http/chainApi'
import { swapSlippagePercent } from '@latchkey/protocol/specificationConstants'
import type { SwapFee, SwapProblem, SwapQuote, SwapState, SwapToken } from './swapTypes.ts'

/** The number of decimal places with which rates and values are computed. */
const precision = 18
/**
 * The largest plausible gain in value from the swapped to the received amount, in basis points. If the gain is larger, one of
 * the prices must be wrong.
 */
const maxGainBps = 500
/** The gas that `maxAmount` reserves for the network fee. It is more than a swap needs. */
const reservedGas = 400_000n

/** Returns the minimum amount after slippage, in base units. */
export function minimumOf(received: bigint): bigint {
  return (received * BigInt(100 - swapSlippagePercent)) / 100n
}

/** Computes a quote from the amounts and prices, without floating-point arithmetic. */
export function quoteOf({
  from,
  to,
  amount,
  received,
  minimum,
  fee,
  networkFee,
  native,
  at,
}: {
  readonly from: SwapToken
  readonly to: SwapToken
  readonly amount: bigint
  readonly received: bigint
  readonly minimum?: bigint | undefined
  readonly fee?: ConvertFee | undefined
  readonly networkFee?: bigint | undefined
  /** The network's currency. */
  readonly native: SwapToken | undefined
  readonly at: number
}): SwapQuote {
  const networkFeeFiat =
    networkFee !== undefined && native?.price
      ? multiplyDecimals(formatUnits(networkFee, native.decimals), native.price.amount)
      : undefined
  return {
    from,
    to,
    amount,
    received,
    minimum: minimum ?? minimumOf(received),
    rate: rateOf({ from, to, amount, received }),
    impactBps: impactOf({ from, to, amount, received }),
    ...(fee && { fee: feeOf(fee) }),
    ...(networkFee !== undefined && { networkFee }),
    ...(networkFeeFiat !== undefined && { networkFeeFiat }),
    at,
  }
}

/** Converts the operator's fee. */
export function feeOf({ bps, amount, recipient }: ConvertFee): SwapFee {
  return { bps, amount: BigInt(amount), recipient }
}

interface Amounts {
  readonly from: SwapToken
  readonly to: SwapToken
  readonly amount: bigint
  readonly received: bigint
}

function rateOf({ from, to, amount, received }: Amounts): string {
  if (amount === 0n) return '0'
  const scaled = (received * 10n ** BigInt(from.decimals + precision)) / (amount * 10n ** BigInt(to.decimals))
  return formatUnits(scaled, precision)
}

function impactOf({ from, to, amount, received }: Amounts): number | undefined {
  const given = dollarsOf(from, amount)
  const taken = dollarsOf(to, received)
  if (given === undefined || taken === undefined || given === 0n) return undefined
  const impact = Number(((given - taken) * 10_000n) / given)
  return impact < -maxGainBps ? undefined : impact
}

/** Returns the value in US dollars, multiplied by 10^18, or `undefined` if the price is not known. */
function dollarsOf({ price, decimals }: SwapToken, amount: bigint): bigint | undefined {
  if (!price) return undefined
  // Truncate digits beyond the precision.
  const [whole = '0', fraction = ''] = price.amount.split('.')
  const scaled = parseUnits(`${whole}.${fraction.slice(0, precision)}`, precision)
  return scaled === undefined || scaled === 0n ? undefined : (amount * scaled) / 10n ** BigInt(decimals)
}

/** Parses the amount of the form. Returns `undefined` if it is not an amount of this token. */
export function parsedAmount(text: string, token: SwapToken | undefined): bigint | undefined {
  return text === '' || !token ? undefined : parseUnits(text, token.decimals)
}

/**
 * Returns the maximum amount that can be swapped, in base units. For the network's currency, an amount is reserved for the
 * network fee. Returns `undefined` if the balance or the gas price is unknown.
 */
export function maxAmount(token: SwapToken | undefined, gasPrice: bigint | undefined): bigint | undefined {
  if (token?.balance === undefined) return undefined
  if (token.id !== 'native') return token.balance
  if (gasPrice === undefined) return undefined
  const rest = token.balance - reservedGas * gasPrice
  return rest > 0n ? rest : 0n
}

/** Returns why the swap cannot be reviewed, or `undefined` if it can be or the quote is loading. */
export function problemOf(
  { from, to, amount: text, quote }: Pick<SwapState, 'from' | 'to' | 'amount' | 'quote'>,
  native: SwapToken | undefined,
): SwapProblem | undefined {
  if (!from || !to) return 'no-token'
  if (from.id === to.id) return 'same-token'
  if (from.mismatch || to.mismatch) return 'token-mismatch'
  if (text === '' || /^0*\.?0*$/.test(text)) return 'no-amount'
  const amount = parsedAmount(text, from)
  if (amount === undefined) return 'invalid-amount'
  if (from.balance !== undefined && amount > from.balance) return 'insufficient-balance'
  if (quote.status === 'failed') return quote.error.code === 'swap/no-liquidity' ? 'no-liquidity' : 'no-quote'
  if (quote.status !== 'ready') return undefined
  return lacksGas(quote.value, native) ? 'insufficient-gas' : undefined
}

/** Whether the balance of the network's currency does not cover the network fee and, if it is the swapped token, the amount. */
export function lacksGas({ from, amount, networkFee }: SwapQuote, native: SwapToken | undefined): boolean {
  if (native?.balance === undefined) return false
  // An empty balance cannot pay any fee, even if the fee is unknown.
  if (native.balance === 0n) return true
  return networkFee !== undefined && networkFee + (from.id === 'native' ? amount : 0n) > native.balance
}
