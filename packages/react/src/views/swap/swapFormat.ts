import type { SwapToken } from '@latchkey/core'
import type { Language } from '@latchkey/i18n/languages'
import { exactAmount } from '../tokens/tokenAmounts.ts'

/** The lowest price impact for which a warning is shown, and the lowest that the user must accept, in basis points. */
export const impactLimits = { noticed: 100, accepted: 500 } as const

/** Formats an amount, truncated to six decimal places, with the token's symbol. */
export function shortAmount(amount: bigint, token: SwapToken, locale: Language): string {
  const unit = 10n ** BigInt(Math.max(token.decimals - 6, 0))
  // An amount that would be truncated to 0 is shown in full.
  return exactAmount(amount < unit ? amount : amount - (amount % unit), token, locale)
}

/** Formats basis points as a percentage, such as "1.25%". */
export function percentText(bps: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000)
}
