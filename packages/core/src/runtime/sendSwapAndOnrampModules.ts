import type { AccountNames } from '../account/accountNamesTypes.ts'
import type { BalanceAndIdentity } from '../account/balanceAndIdentity.ts'
import type { Activity } from '../account/pendingTransactionTypes.ts'
import type { Portfolio, PortfolioSubject } from '../account/portfolioTypes.ts'
import type { Send } from '../account/send/sendTypes.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import type { Latchkey } from '../latchkeyTypes.ts'
import { type LazyValue, lazyValue } from '../lib/lazyValue.ts'
import { slice } from '../lib/store.ts'
import { embeddedAccountType } from '../login/embeddedAccountType.ts'
import type { Onramp } from '../onramp/onrampTypes.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import type { Swap } from '../swap/swapTypes.ts'
import type { PageEnvironment } from './pageEnvironment.ts'
import type { RuntimeDependencies, StartupModules } from './startupModules.ts'

/** Sending, swapping and buying. Each module is loaded on first use. */
export interface SendSwapAndOnrampModules {
  /** Buying crypto. Only used with a server. */
  readonly onramp: LazyValue<Onramp>
  /** The form for sending tokens. */
  readonly send: LazyValue<Send>
  /** Swaps. Only used with a server. */
  readonly swap: LazyValue<Swap>
  stop(): void
}

/** Creates the loaders for sending, swapping and buying. Nothing is loaded yet. */
export function createSendSwapAndOnrampModules({
  options,
  store,
  log,
  clock,
  environment,
  core,
  records,
  session,
  activeAccount,
  balanceAndIdentity,
  api,
  portfolio,
  activity,
  names,
}: Pick<RuntimeDependencies, 'options' | 'store' | 'log' | 'clock'> & {
  readonly environment: PageEnvironment
  readonly core: StartupModules
  readonly records: StorageSchema
  readonly session: Latchkey['session']
  /** Returns the active account with its network and session. */
  activeAccount(): PortfolioSubject | undefined
  readonly balanceAndIdentity: LazyValue<BalanceAndIdentity>
  /** Loads the client for the chain API. Resolves to `undefined` if no server is configured. */
  api(): Promise<ChainApiClient | undefined>
  readonly portfolio: LazyValue<Portfolio>
  readonly activity: LazyValue<Activity>
  readonly names: LazyValue<AccountNames>
}): SendSwapAndOnrampModules {
  const { fetch, server, storage } = environment
  const { networks } = core
  const { track } = core.analytics

  const send = lazyValue(async () => {
    const [{ createSendModule }, loadedPortfolio, client, loadedActivity] = await Promise.all([
      import('./sendModule.ts'),
      portfolio.get(),
      api(),
      activity.get(),
    ])
    return createSendModule({
      api: client,
      adapters: options.adapters ?? [],
      ...(options.fetch && { fetch }),
      portfolio: loadedPortfolio,
      names: async () => (server ? names.get() : undefined),
      hosts: [server?.url ?? '', globalThis.location?.href ?? ''].flatMap((url) =>
        URL.canParse(url) ? new URL(url).hostname : [],
      ),
      storage: () => storage,
      id: options.id,
      activity: loadedActivity,
      transactions: slice(store, 'activity'),
      onChange: store.subscribe,
      isShown() {
        const { open, stack } = store.get().modal
        return open && stack.some(({ view }) => view.startsWith('WalletSend'))
      },
      now: activeAccount,
      track,
      clock,
      log,
    })
  })
  const onramp = lazyValue(async () => {
    const [{ createOnramp }, client] = await Promise.all([import('../onramp/onramp.ts'), api()])
    return createOnramp({
      api: client as ChainApiClient, // Only used with a server.
      now: activeAccount,
      providers: options.features?.onramp,
      isSmartAccount: () =>
        store.get().networks.namespace === 'eip155' &&
        embeddedAccountType('eip155', { options, records }) === 'smartAccount',
      arrived() {
        const refresh = async () => {
          const [queries, tokens] = await Promise.all([balanceAndIdentity.get(), portfolio.get()])
          await Promise.all([queries.refresh({ force: true }), tokens.refresh({ force: [] })])
        }
        void refresh().catch(() => undefined)
      },
      drafts: { log, id: options.id },
      open: (...params) => window.open(...params),
      track,
      clock,
    })
  })

  const swap = lazyValue(async () => {
    const [{ createSwapModule }, client, ownPortfolio, ownActivity] = await Promise.all([
      import('./swapModule.ts'),
      api(),
      portfolio.get(),
      activity.get(),
    ])
    return createSwapModule({
      options,
      fetch,
      api: client as ChainApiClient, // Only used with a server.
      portfolio: ownPortfolio,
      activity: ownActivity,
      now: activeAccount,
      onChange: store.subscribe,
      network: networks.find,
      session,
      balanceAndIdentity,
      isSmartAccount: () => embeddedAccountType('eip155', { options, records }) === 'smartAccount',
      track,
      clock,
      log,
    })
  })

  return {
    onramp,
    send,
    swap,
    stop() {
      for (const lazy of [onramp, send, swap]) lazy.stop()
    },
  }
}
