// This function is in a separate file, because a button that shows a balance needs no other code for amounts.

/**
 * Formats a balance with up to three decimal places, such as "1.2", or as "0.000" if it is unknown or less than 0.001. Balances
 * are never rounded up.
 */
export function balanceText(value: bigint | undefined, decimals: number, locale = 'en-US'): string {
  // Since ES2023, Intl reads strings without losing precision.
  const text = `${value ?? 0n}E-${decimals}` as Intl.StringNumericLiteral
  return new Intl.NumberFormat(locale, {
    // Pad a balance below 0.001 to three zeros, like an unknown balance.
    minimumFractionDigits: Number(text) < 0.001 ? 3 : 0,
    maximumFractionDigits: 3,
    roundingMode: 'trunc',
  }).format(text)
}
