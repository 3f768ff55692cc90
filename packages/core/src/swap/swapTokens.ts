import type { ChainId } from '@latchkey/protocol/caip'
import { toEvmAddress } from '@latchkey/protocol/caip'
import { type ConvertToken, nativeTokenAddress } from '@latchkey/protocol/http/chainApi'
import type { Token, TokenPrice } from '../account/portfolioTypes.ts'
import type { Network } from '../adapter.ts'
import { imitatesKnownToken } from './knownTokens.ts'
import type { SwapToken, SwapTokens } from './swapTypes.ts'
import { trustedExchanges } from './trustedExchanges.ts'

/** The symbols of the suggested tokens, in this order, in addition to the network's currency. */
const suggestedSymbols = ['USDC', 'USDT', 'DAI', 'WETH', 'WBTC', 'UNI', 'LINK', 'AAVE', 'ARB', 'OP', 'TUSDC', 'TUSDT']
/** The maximum number of suggested tokens. */
const maxSuggested = 8

/**
 * Combines the server's list with the tokens that the account owns. Owned tokens that are spam are omitted. A token with
 * inconsistent decimal places, or with the symbol of a well-known token at another address, is marked with `mismatch`.
 */
export function swapTokensOf({
  listed,
  owned,
  network,
  prices,
}: {
  readonly listed: readonly ConvertToken[]
  /** The tokens of the account, or `undefined` if they are not known. */
  readonly owned: readonly Token[] | undefined
  readonly network: Network
  /** The prices of tokens for which the account's portfolio has no price, by the token's key. */
  readonly prices: ReadonlyMap<string, TokenPrice>
}): SwapTokens {
  const chain: ChainId = network.caipNetworkId
  const [exchange] = trustedExchanges(chain, undefined)
  const wrapped = exchange && { symbol: `W${network.nativeCurrency.symbol}`, address: exchange.wrappedNative }
  const byId = new Map<string, Token>((owned ?? []).map((token) => [keyOf(token.id), token]))
  const tokens = new Map<string, SwapToken>()
  const add = (token: SwapToken): void => {
    const key = keyOf(token.id)
    if (tokens.has(key)) return
    const own = byId.get(key)
    // If the account's tokens are known, a token that is not among them has a balance of 0.
    const balance = own?.amount ?? (owned && !token.unlisted ? 0n : undefined)
    const price = own?.price ?? prices.get(key)
    const iconUrl = token.iconUrl ?? own?.iconUrl
    tokens.set(key, {
      ...token,
      ...(balance !== undefined && { balance }),
      ...(price && { price }),
      ...(iconUrl && { iconUrl }),
      ...(((own && own.decimals !== token.decimals) ||
        (token.id !== 'native' && imitatesKnownToken(token, wrapped))) && {
        mismatch: true as const,
      }),
    })
  }
  const { name, symbol, decimals } = network.nativeCurrency
  add({ id: 'native', chain, name, symbol, decimals })
  for (const token of listed) {
    const parsed = parsedToken(token.address, chain)
    if (!parsed || token.symbol === '') continue
    // The currency's name, symbol and decimals come from the host's network instead.
    if (parsed.isNative) continue
    add({
      id: parsed.id,
      chain,
      address: parsed.address,
      name: token.name,
      symbol: token.symbol,
      decimals: token.decimals,
      ...(token.logoUri && { iconUrl: token.logoUri }),
    })
  }
  for (const token of owned ?? []) {
    if (token.hidden === 'spam' || !token.address || !toEvmAddress(token.address)) continue
    const { name, symbol, decimals } = token
    add({ id: token.id, chain, address: token.address, name, symbol, decimals, unlisted: true })
  }
  const all = [...tokens.values()].sort((a, b) => a.symbol.localeCompare(b.symbol, 'en'))
  return { all, suggested: suggestedOf(all), own: ownOf(all, owned ?? []) }
}

function suggestedOf(all: readonly SwapToken[]): readonly SwapToken[] {
  const find = (symbol: string) =>
    all.find((token) => !token.unlisted && token.id !== 'native' && token.symbol.toUpperCase() === symbol)
  const native = all.find(({ id }) => id === 'native')
  return [native, ...suggestedSymbols.map(find)].flatMap((token) => token ?? []).slice(0, maxSuggested)
}

function ownOf(all: readonly SwapToken[], owned: readonly Token[]): readonly SwapToken[] {
  const byKey = new Map(all.map((token) => [keyOf(token.id), token]))
  return owned.flatMap(({ id, amount }) => (amount > 0n ? (byKey.get(keyOf(id)) ?? []) : []))
}

/** Finds a token by its ID, or a listed token by its symbol, ignoring case. */
export function findSwapToken({ all }: SwapTokens, symbolOrId: string): SwapToken | undefined {
  const key = keyOf(symbolOrId)
  const plain = key.endsWith(`:${nativeTokenAddress}`) ? 'native' : key
  const byId = all.find(({ id }) => keyOf(id) === plain)
  if (byId) return byId
  const found = all.filter(({ symbol, unlisted }) => !unlisted && symbol.toLowerCase() === key)
  // A listed token can have the symbol of the network's currency.
  return found.find(({ id }) => id === 'native') ?? found[0]
}

/** Returns the token in the form of the chain API (CAIP-10). */
export function convertIdOf({ id, chain }: SwapToken): string {
  return id === 'native' ? `${chain}:${nativeTokenAddress}` : id
}

/** Returns a key that is the same for all spellings of a token's ID. */
export function keyOf(id: string): string {
  return id.toLowerCase()
}

function parsedToken(caip10: string, chain: ChainId) {
  if (!caip10.startsWith(`${chain}:`)) return undefined
  const address = toEvmAddress(caip10.slice(chain.length + 1))
  if (!address) return undefined
  return { id: `${chain}:${address}`, address, isNative: address.toLowerCase() === nativeTokenAddress }
}
