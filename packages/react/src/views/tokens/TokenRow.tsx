import type { Token, TokenPrice } from '@latchkey/core'
import { Row, type Tag, useStyleSheet, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { isOldPrice } from './amountFormat.ts'
import css from './tokens.css?inline'
import type { TokenFormat } from './useTokenFormat.ts'

/** Values with more characters are shown in a smaller size. */
const longValue = 16

/** Props for `TokenRow`. */
export interface TokenRowProps {
  readonly token: Token
  /** From `useTokenFormat()`. */
  readonly format: TokenFormat
  /** Called when the row is clicked. Without `onClick` and `href`, the row is plain text. */
  readonly onClick?: (() => void) | undefined
  /** Makes the row a link that opens in a new tab. */
  readonly href?: string | undefined
  /** Whether the row is the current selection. */
  readonly current?: boolean | undefined
}

/**
 * Renders a token with its logo, name, balance and value. The age of a price is shown if it is older than ten minutes. Without a
 * price, no value is shown. The logos of hidden tokens are not loaded, because anyone can choose their URLs.
 */
export function TokenRow({ token, format, onClick, href, current }: TokenRowProps): ReactNode {
  useStyleSheet(css)
  const { name, symbol, hidden } = token
  return (
    <Row
      icon={<WalletLogo name={symbol || name} src={hidden ? undefined : token.iconUrl} shape="round" />}
      detail={
        <span className="token-amount">
          <bdi>
            {format.amount(token.amount, token.decimals)}
            {'\u2009'}
            {symbol}
          </bdi>
        </span>
      }
      tag={tagOf(token, format)}
      trailing={hidden ? undefined : <TokenValue token={token} format={format} />}
      onClick={onClick}
      href={href}
      current={current}
    >
      {name || symbol}
    </Row>
  )
}

function tagOf({ hidden }: Token, { text }: TokenFormat): Tag | undefined {
  return hidden && { text: text(`tokens.${hidden}`), tone: hidden === 'spam' ? 'warning' : 'neutral' }
}

/** Renders the value of a balance. An old price is shown with its age. */
export function TokenValue({
  token: { fiat, price },
  format: { text, fiat: dollars, ago, now },
}: {
  readonly token: { readonly fiat?: string | undefined; readonly price?: TokenPrice | undefined }
  readonly format: TokenFormat
}): ReactNode {
  useStyleSheet(css)
  if (fiat === undefined || price === undefined) return <span className="token-value">{text('tokens.noPrice')}</span>
  const value = dollars(fiat)
  return (
    <span className="token-value">
      <bdi className="token-fiat" data-long={value.length > longValue || undefined}>
        {value}
      </bdi>
      {isOldPrice(price.at, now) && (
        <span className="token-old">{text('tokens.oldPrice', { age: ago(price.at) })}</span>
      )}
    </span>
  )
}

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
