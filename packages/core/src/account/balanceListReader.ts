import { formatUnits } from '@latchkey/protocol/amount'
import { addressOf, type ChainId } from '@latchkey/protocol/caip'
import { getBalances, type TokenBalance } from '@latchkey/protocol/http/chainApi'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Adapter } from '../adapter.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import type { PortfolioSubject } from './portfolioTypes.ts'
import { completeAssets, lacksPrices, readWalletAssets } from './walletAssets.ts'

/** Reads the balances of an account: from the wallet, the server or the network's node. */
export interface BalanceListReader {
  /**
   * Resolves to all balances. The server reads the tokens in `force` from the chain again. Rejects with `balance/unavailable` if the
   * server does not support the chain and the wallet lists no assets.
   */
  read(subject: PortfolioSubject, force: readonly string[], signal: AbortSignal): Promise<readonly TokenBalance[]>
  /** Resolves to the balance of the network's currency, according to its node. */
  readNative(subject: PortfolioSubject, signal: AbortSignal): Promise<readonly TokenBalance[]>
}

/** Creates the reader. `api` is `undefined` if no server is configured. */
export function createBalanceListReader({
  api,
  adapters,
  fetch,
}: {
  readonly api: ChainApiClient | undefined
  readonly adapters: readonly Adapter[]
  readonly fetch?: typeof globalThis.fetch
}): BalanceListReader {
  const readNative = async (
    { account, network, session }: PortfolioSubject,
    signal: AbortSignal,
  ): Promise<TokenBalance[]> => {
    const adapter = adapters.find(({ namespace }) => namespace === network.chainNamespace)
    if (!adapter?.balance) return []
    const found = await adapter.balance({
      account,
      network,
      signal,
      ...(session && { session }),
      ...(fetch && { fetch }),
    })
    return [
      {
        name: network.nativeCurrency.name,
        symbol: found.symbol,
        chainId: network.caipNetworkId,
        price: 0,
        quantity: { decimals: String(found.decimals), numeric: formatUnits(found.value, found.decimals) },
        iconUrl: '',
      },
    ]
  }

  const read = async (
    subject: PortfolioSubject,
    force: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly TokenBalance[]> => {
    const { account, network, session } = subject
    const chain: ChainId = network.caipNetworkId
    const address = addressOf(account)
    const own = await readWalletAssets(session, { chain, address })
    if (own && (!api || !lacksPrices(own))) return own
    if (!api) return readNative(subject, signal)
    const supported = api.supports(chain)
    if (!(await (own ? supported.catch(() => false) : supported))) {
      if (own) return own
      throw new LatchkeyError('balance/unavailable')
    }
    const query = {
      chainId: chain,
      currency: 'usd' as const,
      ...(force.length > 0 && { forceUpdate: force.join(',') }),
    }
    const answer = api.call(getBalances, { params: { address }, query, signal })
    // Without the server, the wallet's balances are still correct. They are shown without prices.
    const { balances } = await (own ? answer.catch(() => ({ balances: undefined })) : answer)
    return own ? completeAssets(own, balances) : (balances ?? [])
  }

  return { read, readNative }
}
