import type { ReactNode } from 'react'

/** What an amount needs. */
export interface AmountProps {
  /** An exact decimal, `1234.5678`. Never a float. */
  readonly value: string
  readonly symbol?: string | undefined
  /** Decimals shown; the rest is cut, never rounded up. [4] */
  readonly places?: number | undefined
  readonly locale?: string | undefined
}

/** The parts of an exact decimal as a locale writes it; `less` when something is there but below the last place. */
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

/** A number in tabular figures, its decimals dimmed, a thin space before its unit. */
export function Amount({ value, symbol, places = 4, locale }: AmountProps): ReactNode {
  const { whole, point, decimals, less } = amountParts(value, places, locale)
  return (
    <AmountText whole={`${less ? '< ' : ''}${whole}`} fraction={decimals && `${point}${decimals}`} symbol={symbol} />
  )
}

/** What an amount that somebody else has written needs. */
export interface AmountTextProps {
  readonly whole: string
  /** With its separator, drawn softer. */
  readonly fraction?: string | undefined
  readonly symbol?: string | undefined
}

/** The same, of a number that is already written. */
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
