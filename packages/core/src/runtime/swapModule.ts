import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { chainAnswerMs } from '@latchkey/protocol/specificationConstants'
import type { BalanceAndIdentity } from '../account/balanceAndIdentity.ts'
import type { Activity } from '../account/pendingTransactionTypes.ts'
import type { Portfolio } from '../account/portfolioTypes.ts'
import type { Adapter, Network } from '../adapter.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import type { Latchkey } from '../latchkeyTypes.ts'
import type { LazyValue } from '../lib/lazyValue.ts'
import type { LatchkeyOptions } from '../options.ts'
import { draftEntry } from '../storage/draftStorage.ts'
import { createSwap } from '../swap/createSwap.ts'
import { pageVisibility } from '../swap/pageVisibility.ts'
import { reserveAcrossTabs } from '../swap/reserveAcrossTabs.ts'
import { createSwapApiClient } from '../swap/swapApiClient.ts'
import type { SwapDependencies } from '../swap/swapContext.ts'
import { swapDraftSchema } from '../swap/swapDraft.ts'
import type { Swap } from '../swap/swapTypes.ts'

type TokenToRead = Parameters<NonNullable<Adapter['tokenDecimals']>>[0]

/** Creates the swaps of an instance. */
export function createSwapModule({
  options,
  fetch,
  api,
  portfolio,
  activity,
  now,
  onChange,
  network,
  session,
  balanceAndIdentity,
  isSmartAccount,
  track,
  clock,
  log,
}: Pick<SwapDependencies, 'now' | 'onChange' | 'isSmartAccount' | 'track' | 'log'> & {
  readonly options: LatchkeyOptions
  readonly fetch: typeof globalThis.fetch
  readonly api: ChainApiClient
  readonly portfolio: Portfolio
  readonly activity: Activity
  network(chain: ChainId): Network | undefined
  readonly session: Latchkey['session']
  readonly balanceAndIdentity: Pick<LazyValue<BalanceAndIdentity>, 'get'>
  readonly clock: Clock
  readonly log: Latchkey['log']
}): Swap {
  const adapterOf = (chain: ChainId) => options.adapters?.find(({ namespace }) => namespace === namespaceOf(chain))
  const reading = () => ({ signal: AbortSignal.timeout(chainAnswerMs), ...(options.fetch && { fetch }) })
  const readToken = async <Value>(
    token: string,
    read: (adapter: Adapter, params: TokenToRead) => Promise<Value> | undefined,
  ): Promise<Value | undefined> => {
    const active = now()
    const adapter = active && adapterOf(active.network.caipNetworkId)
    if (!adapter) return undefined
    const wallet = active.session
    return read(adapter, { token, network: active.network, ...(wallet && { session: wallet }), ...reading() })
  }
  return createSwap({
    server: createSwapApiClient({ api, clock }),
    portfolio,
    activity,
    now,
    onChange,
    page: pageVisibility(),
    exchanges: options.swapExchanges,
    draft: draftEntry({ log, id: options.id }, 'swap', swapDraftSchema),
    async transactionStatus(hash, chain) {
      const found = network(chain)
      const wallet = session(namespaceOf(chain))
      const read = adapterOf(chain)?.transactionStatus
      if (!found || !read) return 'pending'
      const status = await read({ hash, network: found, ...(wallet && { session: wallet }), ...reading() })
      // These statuses require a nonce or an expiry, which are not passed here.
      return status === 'replaced' || status === 'dropped' ? 'pending' : status
    },
    tokenDecimals: (token) => readToken(token, (adapter, params) => adapter.tokenDecimals?.(params)),
    tokenSymbol: (token) => readToken(token, (adapter, params) => adapter.tokenSymbol?.(params)),
    reserve: reserveAcrossTabs(globalThis.navigator?.locks),
    refreshBalances: () =>
      void balanceAndIdentity.get().then(
        (loaded) => loaded.refresh({ force: true }),
        () => undefined,
      ),
    isSmartAccount,
    track,
    clock,
    log,
  })
}
