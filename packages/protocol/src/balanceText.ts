// A separate file, because a button shows a balance and needs no other code for amounts.

/** Formats a balance with three decimal places, rounded down so that it never shows more than the user has: "1.2", or "0.000" if it is unknown. */
export function balanceText(value: bigint | undefined, decimals: number, locale = 'en-US'): string {
  // Intl reads strings exactly since ES2023.
  const text = `${value ?? 0n}E-${decimals}` as Intl.StringNumericLiteral
  return new Intl.NumberFormat(locale, {
    // For amounts below 0.001, three zeros show that the balance has been read.
    minimumFractionDigits: Number(text) < 0.001 ? 3 : 0,
    maximumFractionDigits: 3,
    roundingMode: 'trunc',
  }).format(text)
}
