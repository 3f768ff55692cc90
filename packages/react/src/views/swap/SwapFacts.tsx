import type { SwapQuote } from '@latchkey/core'
import { formatUnits } from '@latchkey/protocol/amount'
import { useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import factsCss from '../tokens/detailList.css?inline'
import { exactAmount } from '../tokens/tokenAmounts.ts'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { swapFactMessages } from './swapFactMessages.ts'
import { impactLimits, percentText, shortAmount } from './swapFormat.ts'

/** Returns the tone of a price impact, which matches that of the notice about it. */
function impactTone(bps = 0): 'danger' | 'warning' | undefined {
  return bps >= impactLimits.accepted ? 'danger' : bps >= impactLimits.noticed ? 'warning' : undefined
}

/** Renders the details of a quote: rate, price impact, minimum and fees. */
export function SwapFacts({
  quote,
  children,
}: {
  readonly quote: SwapQuote
  readonly children?: ReactNode
}): ReactNode {
  useStyleSheet(factsCss)
  const text = useTranslations(swapFactMessages)
  const latchkey = useLatchkey()
  const format = useTokenFormat()
  const { from, to, impactBps, minimum, fee, networkFee, networkFeeFiat } = quote
  const currency = latchkey.network(from.chain)?.nativeCurrency
  const significant = new Intl.NumberFormat(text.locale, { maximumSignificantDigits: 3 })
  return (
    <dl className="facts">
      <div>
        <dt>{text('swap.impact')}</dt>
        <dd data-tone={impactTone(impactBps)}>
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
