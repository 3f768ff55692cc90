import type { PortfolioTotal, QueryResult } from '@latchkey/core'
import type { NativeBalance } from '@latchkey/core/adapter'
import { Skeleton, useStyleSheet, VisuallyHidden } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { UsePortfolioReturnType } from '../../hooks/usePortfolio.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { isOldPrice } from '../tokens/amountFormat.ts'
import tokensCss from '../tokens/tokens.css?inline'
import { type TokenFormat, useTokenFormat } from '../tokens/useTokenFormat.ts'
import { accountMessages } from './accountMessages.ts'
import { Balance } from './Balance.tsx'

/** Values with more characters are shown in a smaller size. */
const longValue = 14

/** Renders the account's value and native balance, and the age and source of the prices. Unknown values are omitted. */
export function AccountTotal({
  total,
  isLoading,
  balance,
}: {
  readonly total: UsePortfolioReturnType['total']
  /** Whether the total is loading. If it is, its space is reserved. */
  readonly isLoading: boolean
  readonly balance: QueryResult<NativeBalance>
}): ReactNode {
  const text = useTranslations(accountMessages)
  const format = useTokenFormat()
  if (isLoading)
    return (
      <div className="me-total" data-loading="">
        <Skeleton width="128px" />
        <Balance reading={balance} />
      </div>
    )
  if (total?.fiat === undefined) return <Balance reading={balance} />
  const value = format.fiat(total.fiat)
  return (
    <div className="me-total">
      <VisuallyHidden>{text('account.total')}</VisuallyHidden>
      <bdi className="me-fiat" data-long={value.length > longValue || undefined}>
        {value}
      </bdi>
      <Balance reading={balance} />
      <TotalNote total={total} format={format} />
    </div>
  )
}

/** Renders the age and sources of the prices in a total, and the number of tokens that it does not include. */
export function TotalNote({
  total: { pricedAt, sources, withoutPrice },
  format: { ago, source, now },
}: {
  readonly total: PortfolioTotal
  readonly format: TokenFormat
}): ReactNode {
  useStyleSheet(tokensCss)
  const text = useTranslations(accountMessages)
  return (
    <>
      {pricedAt !== undefined && (
        <span className="price-note" data-old={isOldPrice(pricedAt, now) || undefined}>
          {sources.length === 0
            ? text('tokens.pricesOnly', { age: ago(pricedAt) })
            : text('tokens.prices', { age: ago(pricedAt), sources: sources.map(source).join(', ') })}
        </span>
      )}
      {withoutPrice > 0 && <span className="price-note">{text.plural('tokens.without', withoutPrice)}</span>}
    </>
  )
}
