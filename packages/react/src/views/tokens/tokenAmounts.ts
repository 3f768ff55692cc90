import type { Token } from '@latchkey/core'
import type { Language } from '@latchkey/i18n/languages'
import { direction } from '@latchkey/i18n/locale'
import { formatUnits, multiplyDecimals } from '@latchkey/protocol/amount'

/** Returns an amount in base units with all of its digits and the token's symbol. */
export function exactAmount(
  amount: bigint,
  { decimals, symbol }: Pick<Token, 'decimals' | 'symbol'>,
  locale: Language,
): string {
  return isolated(`${groupedAmount(formatUnits(amount, decimals), locale)}\u2009${symbol}`, locale)
}

/** Returns text that keeps its own direction among right-to-left words, so that the parts of an amount stay in order. */
export function isolated(text: string, locale: Language): string {
  return direction(locale) === 'rtl' ? `\u2068${text}\u2069` : text
}

/** A token whose price in US dollars, as decimal text, may be known. */
interface Priced {
  readonly decimals: number
  readonly price?: { readonly amount: string } | undefined
}

/** Returns the value of an amount in US dollars as decimal text, or `undefined` if the price is not known. */
export function fiatValue(amount: bigint, { decimals, price }: Priced): string | undefined {
  return price && multiplyDecimals(formatUnits(amount, decimals), price.amount)
}

/** Returns plain decimal text with the separators of a language, such as "1,479.302115". No digits are cut. */
export function groupedAmount(plain: string, locale: string): string {
  const [whole = '0', fraction] = plain.split('.')
  const grouped = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).format(BigInt(whole))
  return `${grouped}${fraction === undefined ? '' : shownAmount(`.${fraction}`, locale)}`
}

/** Returns plain decimal text with the decimal separator of a language, as an amount field shows it. */
export function shownAmount(plain: string, locale: string): string {
  const separator = new Intl.NumberFormat(locale, { numberingSystem: 'latn' })
    .formatToParts(1.1)
    .find(({ type }) => type === 'decimal')?.value
  return plain.replace('.', separator ?? '.')
}
