import type { TokenPrice } from '@latchkey/core'
import { useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { isOldPrice } from './amountFormat.ts'
import css from './tokens.css?inline'
import type { TokenFormat } from './useTokenFormat.ts'

/** Renders the age and source of a price. Old prices are shown in a warning color. */
export function PriceNote({
  price,
  format: { text, ago, source, now },
}: {
  readonly price: TokenPrice
  readonly format: TokenFormat
}): ReactNode {
  useStyleSheet(css)
  return (
    <span className="price-note" data-old={isOldPrice(price.at, now) || undefined}>
      {price.source === undefined
        ? text('tokens.oldPrice', { age: ago(price.at) })
        : text('tokens.price', { age: ago(price.at), source: source(price.source) })}
    </span>
  )
}
