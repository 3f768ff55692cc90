// Alone in its file: a button shows a balance, and its page loads nothing else of amounts.

/** A balance to three places, rounded down so that nobody sees more than they have: "1.2", "0.000" for none. */
export function balanceText(value: bigint | undefined, decimals: number, locale = 'en-US'): string {
  // Intl reads texts exactly (ES2023).
  const text = `${value ?? 0n}E-${decimals}` as Intl.StringNumericLiteral
  return new Intl.NumberFormat(locale, {
    // Below 0.001 there is something, but nothing to read: the three zeros say that we looked.
    minimumFractionDigits: Number(text) < 0.001 ? 3 : 0,
    maximumFractionDigits: 3,
    roundingMode: 'trunc',
  }).format(text)
}
