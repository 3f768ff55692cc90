import { oldPriceMs } from '@latchkey/protocol/specificationConstants'

/** Formats exact amounts for a language. */
export interface AmountFormat {
  /** Formats a balance in base units with up to three decimals, truncated. Balances below 0.001 are shown as "0.000". */
  amount(value: bigint, decimals: number): string
  /** Formats a decimal amount with up to three decimals, truncated. Nonzero amounts below 0.001 are shown as "<0.001". */
  quantity(numeric: string): string
  /** Formats US dollars with two decimals. Nonzero amounts below one cent are shown as "<$0.01". */
  fiat(usd: string): string
}

/** Creates the formats for a language. Create it once per list: constructing an Intl formatter is slow. */
export function createAmountFormat(locale: string): AmountFormat {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3, roundingMode: 'trunc' })
  const padded = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
    roundingMode: 'trunc',
  })
  const dollars = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  // Since ES2023, `Intl.NumberFormat` formats numeric strings without losing precision.
  const exact = (text: string) => text as Intl.StringNumericLiteral
  const quantity = (numeric: string): string => {
    const [whole = '', fraction = ''] = numeric.replace('-', '').split('.')
    const isDust = /^0*$/.test(whole) && /^0{3}\d*[1-9]/.test(fraction)
    return isDust ? `<${number.format(0.001)}` : number.format(exact(numeric))
  }
  return {
    amount(value, decimals) {
      const isBelow = value * 1000n < 10n ** BigInt(decimals)
      return (isBelow ? padded : number).format(exact(`${value}E-${decimals}`))
    },
    quantity,
    fiat(usd) {
      const isDust = /^0*(\.00\d*)?$/.test(usd) && /[1-9]/.test(usd)
      const text = isDust ? `<${dollars.format(0.01)}` : dollars.format(exact(usd))
      // In Arabic, Intl writes "US$", whose letters would be displayed in the wrong order.
      return text.replace('US$', '$')
    },
  }
}

/** Whether a price is old enough to be flagged as outdated. */
export function isOldPrice(pricedAt: number, now: number): boolean {
  return now - pricedAt > oldPriceMs
}
