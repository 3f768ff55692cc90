import type { FungiblePrice } from '@latchkey/protocol/http/chainApi'
import { HttpError } from '../../errors/httpError.ts'
import type { Clock } from '../../serverDependencies.ts'
import { isEvmAddress, isNativeToken, isSolanaAddress } from '../addresses.ts'
import type { PriceReader } from '../chainApiTypes.ts'
import type { ChainConfig, ListedToken } from '../chainConfig.ts'
import { createTokenInfoReader } from '../history/tokenInfo.ts'
import type { CallNode } from '../nodeBatch.ts'
import { configuredChain, type NodeClient } from '../nodeClient.ts'
import type { TokenPrices } from './tokenPrices.ts'

interface RequestedToken {
  /** The token (CAIP-10), as in the request. */
  readonly id: string
  readonly chain: ChainConfig
  /** `undefined` for the native currency. */
  readonly address: string | undefined
}

/** Creates the reader for prices. */
export function createPriceReader({
  nodes,
  callNode,
  prices,
  clock,
}: {
  nodes: NodeClient
  callNode: CallNode
  prices: TokenPrices
  clock: Clock
}): PriceReader {
  const infos = createTokenInfoReader({ callNode, clock })

  async function pricesOn(
    chain: ChainConfig,
    requested: readonly RequestedToken[],
    { currency, signal }: { currency: Parameters<TokenPrices['requireCurrency']>[0]; signal: AbortSignal },
  ): Promise<readonly FungiblePrice[]> {
    const listed = new Map(chain.tokens.map((token) => [keyOf(token.address), token]))
    const unlisted = requested.flatMap(({ address }) =>
      address !== undefined && isEvmAddress(address) && !listed.has(keyOf(address))
        ? [address.toLowerCase() as `0x${string}`]
        : [],
    )
    const details = unlisted.length > 0 ? await infos.read(chain, unlisted, signal) : new Map<string, never>()
    const tokens = requested.map(({ address }) => {
      if (address === undefined) return undefined
      const known: ListedToken | undefined = listed.get(keyOf(address))
      if (known) return known
      const { name = '', symbol = '', decimals } = details.get(keyOf(address)) ?? {}
      return { address, name, symbol, decimals: decimals ?? 0, hasDecimals: decimals !== undefined, isUnlisted: true }
    })
    const found = await prices.pricesOf({ chain, tokens, currency, signal })
    return requested.map(({ id }, index) => {
      const token = tokens[index]
      const { name, symbol, decimals } = token ?? chain.nativeCurrency
      const price = found.get(token?.address)
      const iconUrl = token && 'logoUri' in token ? token.logoUri : undefined
      const hasDecimals = !(token && 'hasDecimals' in token) || token.hasDecimals
      return {
        address: id,
        name,
        symbol,
        // Clients of the specification expect a string.
        iconUrl: iconUrl ?? '',
        price: price?.price ?? 0,
        ...(hasDecimals ? { decimals } : {}),
        ...(price ? { pricedAt: price.pricedAt, priceSource: price.source } : {}),
      }
    })
  }

  return {
    async prices({ currency, addresses }, signal) {
      if (addresses.length === 0) throw new HttpError(400, 'addresses', 'At least one token is required')
      prices.requireCurrency(currency)
      const requested = addresses.map((id) => requestedToken(nodes.chains, id))
      const byChain = groupByChain(requested)
      const results = await Promise.all(
        [...byChain].map(([chain, some]) => pricesOn(chain, some, { currency, signal })),
      )
      const byId = new Map(results.flat().map((price) => [price.address, price]))
      return addresses.flatMap((id) => byId.get(id) ?? [])
    },
  }
}

function groupByChain(requested: readonly RequestedToken[]): Map<ChainConfig, RequestedToken[]> {
  const groups = new Map<ChainConfig, RequestedToken[]>()
  for (const token of requested) {
    const group = groups.get(token.chain)
    if (group) group.push(token)
    else groups.set(token.chain, [token])
  }
  return groups
}

function requestedToken(chains: ReadonlyMap<string, ChainConfig>, id: string): RequestedToken {
  const [namespace, reference, address = ''] = id.split(':')
  const chain = configuredChain(chains, `${namespace}:${reference}`)
  const isValid =
    (namespace === 'eip155' && isEvmAddress(address)) ||
    (namespace === 'solana' && (isSolanaAddress(address) || isNativeToken(address)))
  if (!isValid) throw new HttpError(400, 'addresses', `${id} is not a token`)
  return { id, chain, address: isNativeToken(address) ? undefined : address }
}

/** Returns the key by which addresses are compared. The checksum of EVM addresses is ignored. */
function keyOf(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address
}
