import { multiplyDecimals, parseUnits } from '@latchkey/protocol/amount'
import type { ChainId } from '@latchkey/protocol/caip'
import type { TokenBalance } from '@latchkey/protocol/http/chainApi'
import { isWebLink } from '@latchkey/protocol/safeLinks'
import { confusableKey, sanitizeName } from '@latchkey/protocol/untrustedNames'
import type { Network } from '../adapter.ts'
import type { Token } from './portfolioTypes.ts'

/** Text in a token's name that directs users to a website: a URL, or a domain such as `claim.example`. */
const linkLike = /https?:|www\.|[\p{L}\p{N}-]+\.[\p{L}]{2,}|t\.me|[/\\]/iu

/** The currency of a network, and the chain. */
interface NetworkCurrency {
  readonly chain: ChainId
  readonly currency: Network['nativeCurrency']
}

/**
 * Converts balances on the network to tokens. Omits tokens with zero decimal places, which are usually NFTs, and tokens on
 * other chains. Marks spam, sorts the tokens by value, and lists hidden tokens last.
 */
export function tokensOf(
  balances: readonly TokenBalance[],
  { chain, currency, now }: NetworkCurrency & { readonly now: number },
): readonly Token[] {
  const listed = new Set(
    balances
      .flatMap((balance) => (balance.isUnlisted ? [] : [confusableKey(balance.symbol)]))
      .concat(confusableKey(currency.symbol)),
  )
  const tokens = new Map<string, Token>()
  for (const balance of balances) {
    const token = tokenOf(balance, { chain, currency, now })
    if (!token || tokens.has(token.id)) continue
    const isSpam =
      linkLike.test(balance.name) ||
      linkLike.test(balance.symbol) ||
      (balance.isUnlisted === true && listed.has(confusableKey(balance.symbol)))
    const hidden = isSpam && token.id !== 'native' ? 'spam' : balance.isUnlisted ? 'unlisted' : undefined
    tokens.set(token.id, hidden ? { ...withoutPrice(token), hidden } : token)
  }
  return [...tokens.values()].sort(
    (a, b) =>
      Number(Boolean(a.hidden)) - Number(Boolean(b.hidden)) ||
      Number(b.fiat ?? 0) - Number(a.fiat ?? 0) ||
      a.symbol.localeCompare(b.symbol, 'en'),
  )
}

function tokenOf(
  balance: TokenBalance,
  { chain, currency, now }: NetworkCurrency & { readonly now: number },
): Token | undefined {
  const { quantity, price, iconUrl, priceSource, pricedAt } = balance
  if (balance.chainId !== undefined && balance.chainId !== chain) return undefined
  // The name, symbol and decimals of the network's currency come from the host's network. A server that could change the decimals
  // could multiply the amounts that users send.
  const { name, symbol, decimals } =
    balance.address === undefined ? currency : { ...balance, decimals: Number(quantity.decimals) }
  if (decimals === 0 || decimals > 255) return undefined
  if (balance.address !== undefined && !balance.address.startsWith(`${chain}:`)) return undefined
  // Digits beyond the number of decimal places are meaningless, so they are removed.
  const amount = parseUnits(quantity.numeric.replace(new RegExp(`(\\.\\d{${decimals}})\\d+$`), '$1'), decimals)
  if (amount === undefined) return undefined
  const address = balance.address?.slice(chain.length + 1)
  const at = pricedAt === undefined ? now : Date.parse(pricedAt)
  return {
    id: balance.address ?? 'native',
    chain,
    ...(address !== undefined && { address }),
    name: sanitizeName(name, 60) ?? '',
    symbol: sanitizeName(symbol, 20) ?? '',
    decimals,
    amount,
    ...(price > 0 && {
      price: {
        amount: multiplyDecimals(String(price), '1') ?? '0',
        ...(priceSource && { source: priceSource }),
        at: Number.isNaN(at) ? now : Math.min(at, now),
      },
      fiat: multiplyDecimals(quantity.numeric, String(price)) ?? '0',
    }),
    ...(isWebLink(iconUrl) && { iconUrl }),
  }
}

function withoutPrice({ price: _, fiat: __, ...token }: Token): Token {
  return token
}
