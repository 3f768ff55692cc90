import type { SwapQuote, SwapToken } from '@latchkey/core'
import { formatUnits } from '@latchkey/protocol/amount'
import { useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import factsCss from '../tokens/detailList.css?inline'
import { exactAmount } from '../tokens/tokenAmounts.ts'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import type { SwapTranslator } from './useSwap.ts'

/** The price impact from which on a warning is shown, and from which on the user must accept it, in basis points. */
export const impactLimits = { noticed: 100, accepted: 500 } as const

/** Returns an amount truncated to six decimal places, and the token's symbol. */
export function shortAmount(amount: bigint, token: SwapToken, locale: string): string {
  const unit = 10n ** BigInt(Math.max(token.decimals - 6, 0))
  // An amount that would be truncated to 0 is shown in full.
  return exactAmount(amount < unit ? amount : amount - (amount % unit), token, locale)
}

/** Formats basis points as a percentage, such as "1.25%". */
export function percentText(bps: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000)
}

/** Renders the details of a quote: rate, price impact, minimum and fees. */
export function SwapFacts({
  quote,
  text,
  children,
}: {
  readonly quote: SwapQuote
  readonly text: SwapTranslator
  readonly children?: ReactNode
}): ReactNode {
  useStyleSheet(factsCss)
  const latchkey = useLatchkey()
  const format = useTokenFormat()
  const { from, to, impactBps, minimum, fee, networkFee, networkFeeFiat } = quote
  const currency = latchkey.network(from.chain)?.nativeCurrency
  const significant = new Intl.NumberFormat(text.locale, { maximumSignificantDigits: 3 })
  return (
    <dl className="facts">
      <div>
        <dt>{text('swap.impact')}</dt>
        <dd data-tone={impactBps !== undefined && impactBps >= impactLimits.noticed ? 'warning' : undefined}>
          {impactBps === undefined ? text('swap.unknown') : percentText(Math.max(impactBps, 0), text.locale)}
        </dd>
      </div>
      <div>
        <dt>{text('swap.minimum')}</dt>
        <dd>
          <bdi>{exactAmount(minimum, to, text.locale)}</bdi>
          <span className="facts-note">{text('swap.minimum.note')}</span>
        </dd>
      </div>
      <div>
        <dt>{text('swap.fee')}</dt>
        <dd>
          {fee && fee.bps > 0 ? (
            <bdi>
              {shortAmount(fee.amount, to, text.locale)} ({percentText(fee.bps, text.locale)})
            </bdi>
          ) : (
            text('swap.fee.none')
          )}
        </dd>
      </div>
      <div>
        <dt>{text('swap.network')}</dt>
        <dd>
          {networkFee === undefined || !currency ? (
            text('swap.unknown')
          ) : (
            <bdi>
              {`≈ ${significant.format(formatUnits(networkFee, currency.decimals) as Intl.StringNumericLiteral)}\u2009${currency.symbol}`}
              {networkFeeFiat !== undefined && ` (${format.fiat(networkFeeFiat)})`}
            </bdi>
          )}
        </dd>
      </div>
      {children}
    </dl>
  )
}
