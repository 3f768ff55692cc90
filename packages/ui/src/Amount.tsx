import type { ReactNode } from 'react'

/** Props for `Amount`. */
export interface AmountProps {
  /** An exact decimal such as `1234.5678`, never a float. */
  readonly value: string
  readonly symbol?: string | undefined
  /** The maximum number of decimals. Further decimals are truncated, never rounded up. Default: 4. */
  readonly places?: number | undefined
  readonly locale?: string | undefined
}

/**
 * Splits an exact decimal into its parts for a locale. If the value is not zero but too small to show, `less` is `true` and the
 * parts are those of the smallest visible value.
 */
export function amountParts(
  value: string,
  places: number,
  locale?: string,
): { whole: string; point: string; decimals: string; less: boolean } {
  const [, sign = '', digits = '0', tail = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(value) ?? []
  const decimals = tail.slice(0, places).replace(/0+$/, '')
  const point = new Intl.NumberFormat(locale).formatToParts(1.1).find(({ type }) => type === 'decimal')?.value ?? '.'
  const less = /^0*$/.test(digits) && decimals === '' && /[1-9]/.test(tail)
  if (less && places > 0) return { whole: '0', point, decimals: `${'0'.repeat(places - 1)}1`, less }
  return { whole: new Intl.NumberFormat(locale).format(BigInt(`${sign}${digits}`)), point, decimals, less }
}

/** Renders a number in tabular figures, with dimmed decimals and a thin space before its symbol. */
export function Amount({ value, symbol, places = 4, locale }: AmountProps): ReactNode {
  const { whole, point, decimals, less } = amountParts(value, places, locale)
  return (
    <AmountText whole={`${less ? '< ' : ''}${whole}`} fraction={decimals && `${point}${decimals}`} symbol={symbol} />
  )
}

/** Props for `AmountText`. */
export interface AmountTextProps {
  readonly whole: string
  /** The dimmed fraction, including its separator. */
  readonly fraction?: string | undefined
  readonly symbol?: string | undefined
}

/** Like `Amount`, for a number that has already been formatted. */
export function AmountText({ whole, fraction, symbol }: AmountTextProps): ReactNode {
  return (
    <bdi className="amount">
      {whole}
      {fraction && <span className="amount-tail">{fraction}</span>}
      {symbol !== undefined && (
        <span className="amount-unit">
          {'\u2009'}
          {symbol}
        </span>
      )}
    </bdi>
  )
}
