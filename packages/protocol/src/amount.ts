// Amounts are exact: they are decimal strings or bigints in base units, and are never converted to floating-point numbers.

export { balanceText } from './balanceText.ts'

/**
 * Parses a decimal amount to base units ("1.5" with 18 decimals). Returns `undefined` if it is not a valid amount.
 *
 * @example
 * parseUnits('1.5', 18) // 1500000000000000000n
 * parseUnits('1,5', 18) // undefined
 */
export function parseUnits(text: string, decimals: number): bigint | undefined {
  // Limits the length, because converting digits to a bigint takes quadratic time.
  if (text.length > 200) return undefined
  const found = /^(\d*)(?:\.(\d*))?$/.exec(text)
  if (!found) return undefined
  const [, whole = '', written = ''] = found
  const fraction = written.replace(/0+$/, '')
  if ((whole === '' && written === '') || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/**
 * Formats base units as a decimal string without trailing zeros.
 *
 * @example
 * formatUnits(1500n, 3) // '1.5'
 */
export function formatUnits(value: bigint, decimals: number): string {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return (value < 0n ? '-' : '') + whole + (fraction && `.${fraction}`)
}

/**
 * Multiplies two decimal numbers exactly. Returns `undefined` if one of them is not a number.
 *
 * @example
 * multiplyDecimals('0.1', '0.2') // '0.02'
 * multiplyDecimals('3', '1e-7') // '0.0000003'
 */
export function multiplyDecimals(a: string, b: string): string | undefined {
  const factors = [decimal(a), decimal(b)].map((text) => text?.split('.'))
  const [first, second] = factors
  if (!first || !second) return undefined
  const places = (first[1] ?? '').length + (second[1] ?? '').length
  const isNegative = a.trim().startsWith('-') !== b.trim().startsWith('-')
  const product = [first, second]
    .map(([whole = '', fraction = '']) => BigInt(whole.replace('-', '') + fraction))
    .reduce((left, right) => left * right)
  return formatUnits(isNegative ? -product : product, places)
}

/**
 * Adds decimal numbers exactly. Text that is not a number counts as zero.
 *
 * @example
 * addDecimals(['0.1', '0.2']) // '0.3'
 */
export function addDecimals(amounts: readonly string[]): string {
  const parsed = amounts.flatMap((amount) => decimal(amount) ?? [])
  const places = Math.max(0, ...parsed.map((text) => (text.split('.')[1] ?? '').length))
  const sum = parsed.reduce((total, text) => {
    const [whole = '', fraction = ''] = text.split('.')
    return total + BigInt(whole + fraction.padEnd(places, '0'))
  }, 0n)
  return formatUnits(sum, places)
}

/** Formatting options for an amount: the locale and the number of decimal places. */
export interface Writing {
  /** [`en-US`] A BCP 47 tag. */
  readonly locale?: string | undefined
  /** The minimum number of decimal places. */
  readonly min?: number
  /** The maximum number of decimal places. */
  readonly max?: number
}

/** A formatted amount in two parts, so that the fraction can be dimmed. Joined together, they form the complete text. */
export interface AmountParts {
  /** The digits before the fraction, grouped for the locale, such as `1,234`. */
  readonly whole: string
  /** The fraction, including the decimal separator. Empty if there is no fraction. */
  readonly fraction: string
}

/** Formats a balance like `balanceText`, in two parts. */
export function balanceParts(value: bigint | undefined, decimals: number, locale?: string): AmountParts {
  const text = cut(formatUnits(value ?? 0n, decimals), 3)
  // Pad a balance below 0.001 to three zeros, like an unknown balance.
  return written(text, { locale, min: Number(text) === 0 ? 3 : 0, max: 3 })
}

/** Formats a transaction's quantity, truncated to three decimal places. Returns "0" if `quantity` is not a number. */
export function quantityText(quantity: string, locale?: string): string {
  const plain = decimal(quantity)
  if (plain === undefined) return '0'
  const { whole, fraction } = written(cut(plain, 3), { locale, max: 3 })
  return whole + fraction
}

/** Formats a dollar amount: `1234.5` becomes "1,234" and ".50". */
export function fiatParts(amount: number | string, locale?: string): AmountParts {
  return written(decimal(String(amount)) ?? '0', { locale, min: 2, max: 2 })
}

/** Formats a dollar amount as a single string. */
export function fiatText(amount: number | string, locale?: string): string {
  const { whole, fraction } = fiatParts(amount, locale)
  return whole + fraction
}

/** Formats a number rounded to `places` decimal places: 1234.567 becomes "1,234.57", and `undefined` becomes "0.00". */
export function numberText(amount: number | string | undefined, places = 2, locale?: string): string {
  const { whole, fraction } = written(decimal(String(amount ?? '')) ?? '0', { locale, min: places, max: places })
  return whole + fraction
}

/**
 * Parses a localized number to a plain decimal string. Returns `undefined` if it is invalid.
 *
 * @example
 * plainNumber('1,234.5') // '1234.5'
 * plainNumber('1.234,5', 'de') // '1234.5'
 */
export function plainNumber(typed: string, locale = 'en-US'): string | undefined {
  const signs = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(12345.6)
  const sign = (type: string) => signs.find((part) => part.type === type)?.value
  const digits = new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210).split('').reverse()
  let plain = ''
  for (const character of typed.trim()) {
    const digit = digits.indexOf(character)
    if (character === sign('group') || /\s/.test(character)) continue
    plain += character === sign('decimal') ? '.' : digit >= 0 ? digit : character
  }
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) ? plain : undefined
}

/** Truncates a plain decimal string to `places` decimal places, whatever its length. */
function cut(text: string, places: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  const stored = fraction.slice(0, places).replace(/0+$/, '')
  return stored ? `${whole}.${stored}` : whole
}

/** Converts a numeric string to a decimal string without an exponent. Returns `undefined` if `text` is not a number. */
function decimal(text: string): string | undefined {
  const found = /^(-?)(\d{1,200})?(?:\.(\d{1,200}))?(?:e([+-]?\d{1,3}))?$/i.exec(text.trim())
  if (!found || (found[2] === undefined && found[3] === undefined)) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found
  const shift = Number(exponent)
  const digits = shift < 0 ? '0'.repeat(-shift) + whole + fraction : whole + fraction + '0'.repeat(shift)
  const point = shift < 0 ? whole.length : whole.length + shift
  return `${sign}${digits.slice(0, point) || '0'}.${digits.slice(point) || '0'}`
}

/**
 * Formats a plain decimal string in a locale. Intl reads strings exactly since ES2023. Older engines lose digits after the
 * 15th.
 */
function written(text: string, { locale = 'en-US', min = 0, max = 0 }: Writing): AmountParts {
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: min, maximumFractionDigits: max })
  const parts = format.formatToParts(text as Intl.StringNumericLiteral)
  const at = parts.findIndex((part) => part.type === 'decimal')
  const join = (some: readonly Intl.NumberFormatPart[]) => some.map((part) => part.value).join('')
  return at < 0
    ? { whole: join(parts), fraction: '' }
    : { whole: join(parts.slice(0, at)), fraction: join(parts.slice(at)) }
}
