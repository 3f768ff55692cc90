import type { Language } from '@latchkey/i18n/languages'
import { isolated } from '../tokens/tokenAmounts.ts'

/** Formats amounts for buying crypto. */
export interface OnrampFormat {
  /** Formats an amount of money, such as "$1,234.50". `currency` is an ISO 4217 code. */
  money(amount: string, currency: string): string
  /** Formats a token amount, truncated to six decimals. A smaller amount is shown as "<0.000001". */
  token(amount: string): string
  /** Returns the name of a currency, such as "US Dollar", or its code. */
  currencyName(code: string): string
}

/** Creates the formats for a language. */
export function createOnrampFormat(locale: Language): OnrampFormat {
  // Since ES2023, `Intl.NumberFormat` formats numeric strings without losing precision.
  const exact = (text: string) => text as Intl.StringNumericLiteral
  const token = new Intl.NumberFormat(locale, { maximumFractionDigits: 6, roundingMode: 'trunc' })
  return {
    money(amount, currency) {
      try {
        const format = new Intl.NumberFormat(locale, {
          style: 'currency',
          currency,
          currencyDisplay: 'narrowSymbol',
          trailingZeroDisplay: 'stripIfInteger',
        })
        return isolated(format.format(exact(amount)).replace('US$', '$'), locale)
      } catch {
        // Providers can have currencies that are not in ISO 4217.
        return `${amount} ${currency}`
      }
    },
    token: (amount) => (/^0*\.0{6}\d*[1-9]/.test(amount) ? `<${token.format(0.000001)}` : token.format(exact(amount))),
    currencyName(code) {
      try {
        return new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code
      } catch {
        return code
      }
    },
  }
}
