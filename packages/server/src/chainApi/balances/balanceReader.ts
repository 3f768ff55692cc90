import { formatUnits } from '@latchkey/protocol/amount'
import type { BalanceQuery, Currency, TokenBalance } from '@latchkey/protocol/http/chainApi'
import { maxBalances } from '@latchkey/protocol/http/chainApi'
import { errorFields } from '../../errors/errorLogFields.ts'
import { HttpError } from '../../errors/httpError.ts'
import type { Clock, Log } from '../../serverDependencies.ts'
import { type AccountFamily, familyOfAddress, isEvmAddress, isNativeToken, isSolanaAddress } from '../addresses.ts'
import type { BalanceReader } from '../chainApiTypes.ts'
import type { ChainConfig } from '../chainConfig.ts'
import type { CallNode } from '../nodeBatch.ts'
import { configuredChain, isEmptyChain, type NodeClient, nodeError } from '../nodeClient.ts'
import type { TokenPrice, TokenPrices } from '../prices/tokenPrices.ts'
import { evmHoldings } from './evmHoldings.ts'
import type { Holding, HoldingsReader } from './holdings.ts'
import { solanaHoldings } from './solanaHoldings.ts'

/** The maximum number of tokens in `forceUpdate`. */
const maxForced = 50

/** Creates the reader for balances. Results are cached for ten seconds, except for the tokens in `forceUpdate`. */
export function createBalanceReader({
  nodes,
  callNode,
  prices,
  clock,
  log,
}: {
  nodes: NodeClient
  callNode: CallNode
  prices: TokenPrices
  clock: Clock
  log: Log
}): BalanceReader {
  const readers: Readonly<Record<AccountFamily, HoldingsReader>> = {
    eip155: evmHoldings({ nodes, callNode, clock }),
    solana: solanaHoldings(nodes),
  }

  async function readChain(
    chain: ChainConfig,
    { address, family, forced, currency, signal }: ChainRead,
  ): Promise<readonly TokenBalance[]> {
    const { chainId } = chain
    const reader = readers[family]
    const key = `${chainId} ${family === 'eip155' ? address.toLowerCase() : address}`
    const isForced = forced.length > 0
    const [known, updated] = await Promise.all([
      nodes.read({
        kind: 'balance',
        key,
        signal,
        isForced,
        load: (shared) => reader.holdings(chain, address, shared),
      }),
      isForced ? reader.tokens(chain, address, forced, signal).catch(rethrowNodeError) : [],
    ])
    const holdings = new Map(known.map((holding) => [holding.token?.address, holding]))
    for (const holding of updated) holdings.set(holding.token?.address, holding)
    const all = [...holdings.values()]
    const priced = await prices
      .pricesOf({ chain, tokens: all.map(({ token }) => token), currency, signal })
      .catch((error: unknown): ReadonlyMap<string | undefined, TokenPrice> => {
        // If the prices cannot be read, the balances are returned without them.
        if (signal.aborted) throw error
        log('warn', 'prices were not read', { chain: chainId, ...errorFields(error) })
        return new Map()
      })
    return all.map((holding) => tokenBalance(chain, holding, priced.get(holding.token?.address)))
  }

  return {
    async balances(address, query, signal) {
      const family = familyOfAddress(address)
      const chains = chainsToRead(nodes.chains, family, query.chainId)
      const forced = forcedTokens(nodes.chains, query, family)
      const currency = query.currency ?? 'usd'
      prices.requireCurrency(currency)
      const results = await Promise.allSettled(
        chains.map((chain) =>
          readChain(chain, { address, family, forced: forced.get(chain.chainId) ?? [], currency, signal }),
        ),
      )
      const read = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      const failed = results.find((result) => result.status === 'rejected')
      if (failed && read.length === 0) throw failed.reason
      // The response has no field for failed chains. Clients that need to detect failures must read one chain at a time.
      for (const result of results)
        if (result.status === 'rejected' && !(result.reason instanceof HttpError)) throw result.reason
      // Clients reject longer lists.
      return read.flat().slice(0, maxBalances)
    },
  }
}

interface ChainRead {
  readonly address: string
  readonly family: AccountFamily
  readonly forced: readonly (string | undefined)[]
  readonly currency: Currency
  readonly signal: AbortSignal
}

function chainsToRead(
  chains: ReadonlyMap<string, ChainConfig>,
  family: AccountFamily,
  chainId: string | undefined,
): readonly ChainConfig[] {
  if (chainId === undefined) return [...chains.values()].filter((chain) => chain.chainId.startsWith(`${family}:`))
  if (family === 'eip155' && isEmptyChain(chains, chainId)) return []
  const chain = configuredChain(chains, chainId)
  if (!/^(eip155|solana):/.test(chainId))
    throw new HttpError(400, 'chainId', `Balances on ${chainId} are not supported`)
  if (!chainId.startsWith(`${family}:`)) throw new HttpError(400, 'address', `The address is not one of ${chainId}`)
  return [chain]
}

/** Returns the tokens to read again, by chain. `undefined` represents the native currency. */
function forcedTokens(
  chains: ReadonlyMap<string, ChainConfig>,
  { forceUpdate = '', chainId: only }: BalanceQuery,
  family: AccountFamily,
): ReadonlyMap<string, readonly (string | undefined)[]> {
  const ids = new Set(forceUpdate.split(',').filter((id) => id !== ''))
  if (ids.size > maxForced) throw new HttpError(400, 'forceUpdate', `At most ${maxForced} tokens can be read again`)
  const forced = new Map<string, (string | undefined)[]>()
  for (const id of ids) {
    const [namespace, reference, address = '', ...rest] = id.split(':')
    const chainId = `${namespace}:${reference}`
    const isNative = isNativeToken(address)
    const isValid = family === 'eip155' ? isEvmAddress(address) : isNative || isSolanaAddress(address)
    if (rest.length > 0 || namespace !== family || !isValid)
      throw new HttpError(400, 'forceUpdate', 'The tokens to read again must be CAIP-10 IDs of the same chain family')
    configuredChain(chains, chainId)
    if (only !== undefined && only !== chainId)
      throw new HttpError(400, 'forceUpdate', `The tokens to read again must be on ${only}`)
    const list = forced.get(chainId) ?? []
    list.push(isNative ? undefined : address)
    forced.set(chainId, list)
  }
  return forced
}

function rethrowNodeError(error: unknown): never {
  throw nodeError(error)
}

function tokenBalance(chain: ChainConfig, { token, amount }: Holding, price: TokenPrice | undefined): TokenBalance {
  const { name, symbol, decimals } = token ?? chain.nativeCurrency
  const numeric = formatUnits(amount, decimals)
  const value = price && Number(numeric) * price.price
  return {
    name,
    symbol,
    chainId: chain.chainId,
    ...(token ? { address: `${chain.chainId}:${token.address}` } : {}),
    ...(value !== undefined && Number.isFinite(value) ? { value } : {}),
    price: price?.price ?? 0,
    quantity: { decimals: String(decimals), numeric },
    iconUrl: token?.logoUri ?? '',
    ...(price ? { pricedAt: price.pricedAt, priceSource: price.source } : {}),
    ...(token?.isUnlisted ? { isUnlisted: true } : {}),
  }
}
