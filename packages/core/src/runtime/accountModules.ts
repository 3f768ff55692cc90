import { addressOf, type ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { AccountIdentityApi } from '../account/accountIdentityApi.ts'
import type { AccountNames } from '../account/accountNamesTypes.ts'
import type { BalanceAndIdentity } from '../account/balanceAndIdentity.ts'
import type { OwnActivity } from '../account/pendingTransactionTypes.ts'
import type { Portfolio, PortfolioSubject } from '../account/portfolioTypes.ts'
import type { Transactions } from '../account/transactionTypes.ts'
import type { Identity } from '../adapter.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import { type LazyValue, lazyValue } from '../lib/lazyValue.ts'
import { type Store, slice } from '../lib/store.ts'
import { embeddedAccountType } from '../login/embeddedAccountType.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import type { PageEnvironment } from './pageEnvironment.ts'
import { createSendSwapAndOnrampModules, type SendSwapAndOnrampModules } from './sendSwapAndOnrampModules.ts'
import type { RuntimeDependencies, StartupModules } from './startupModules.ts'

/** The modules for connected accounts, such as tokens, transactions and swaps. Each module is loaded on first use. */
export interface AccountModules extends Pick<SendSwapAndOnrampModules, 'onramp' | 'send' | 'swap'> {
  /** The server's account names. Only used with a server. */
  readonly names: LazyValue<AccountNames>
  /** The reader for the names and images of accounts. Only used with a server. */
  readonly identity: LazyValue<AccountIdentityApi>
  readonly portfolio: LazyValue<Portfolio>
  readonly transactions: LazyValue<Transactions>
  /** The transactions that the page sent. */
  readonly activity: LazyValue<OwnActivity>
  /** Reads the tokens on a chain again, if they are loaded. */
  refreshTokens(chain: ChainId): Promise<void>
  stop(): void
}

/** Creates the account's modules and passes them to each other. Each is loaded on first use. */
export function createAccountModules({
  options,
  store,
  log,
  clock,
  account,
  environment,
  core,
  records,
  session,
  directory,
  activeAccount,
  balanceAndIdentity,
}: Pick<RuntimeDependencies, 'options' | 'store' | 'log' | 'clock' | 'account'> & {
  readonly environment: PageEnvironment
  readonly core: StartupModules
  readonly records: StorageSchema
  readonly session: Latchkey['session']
  readonly directory: Latchkey['directory']
  /** Returns the active account with its network and session. */
  activeAccount(): PortfolioSubject | undefined
  readonly balanceAndIdentity: LazyValue<BalanceAndIdentity>
}): AccountModules {
  const { fetch, storage } = environment
  const { notifications, networks } = core
  const { track } = core.analytics
  const { toast } = notifications

  const chainApi = lazyChainApi(environment, clock)
  const portfolio = lazyPortfolio({ options, environment, chainApi, clock, log, now: activeAccount })
  const transactions = lazyValue(async () => {
    // Load the activity, too, because it restores the transactions that the page sent before it was reloaded.
    const [{ createTransactions }, { createTransactionReplacement }, { client: api }] = await Promise.all([
      import('../account/transactions.ts'),
      import('../account/replaceTransaction.ts'),
      chainApi.get(),
      activity.get(),
    ])
    const history = createTransactions({
      api,
      now: activeAccount,
      failed(error) {
        toast('error', error.message)
        track({ event: 'ERROR_FETCH_TRANSACTIONS', properties: { message: error.message } })
      },
    })
    return { ...history, ...createTransactionReplacement({ now: activeAccount, activity: activity.get }) }
  })
  const activity = lazyValue(async () => {
    const [{ createPendingTransactions, pendingTransactionsEntry }, { createTransactionRefresh }] = await Promise.all([
      import('../account/pendingTransactions.ts'),
      import('../account/refreshAfterTransaction.ts'),
    ])
    const { settled, stop } = createTransactionRefresh({
      clock,
      refreshBalance: async () => (await balanceAndIdentity.get()).refresh({ force: true }),
      portfolio: portfolio.loaded,
      transactions: transactions.loaded,
    })
    const pending = createPendingTransactions({
      state: slice(store, 'activity'),
      entry: pendingTransactionsEntry({ storage: () => storage, id: options.id, log }),
      adapters: options.adapters ?? [],
      ...(options.fetch && { fetch }),
      clock,
      log,
      account,
      network: networks.find,
      session,
      settled,
    })
    return {
      ...pending,
      stop() {
        stop()
        pending.stop()
      },
    }
  })
  const names = lazyValue(async () => {
    const [{ createAccountNames }, { createCaches }, { client: api }] = await Promise.all([
      import('../account/accountNames.ts'),
      import('../storage/storedCaches.ts'),
      chainApi.get(),
    ])
    const caches = createCaches({ storage: () => storage, id: options.id, clock, log })
    return createAccountNames({
      api: api as ChainApiClient, // Only used with a server.
      now: activeAccount,
      namesZone: async () => (await directory())?.namesZone(),
      cache: caches.ens,
      isSmartAccount: () => embeddedAccountType('eip155', { options, records }) === 'smartAccount',
      registered(owner, name) {
        const identity = showName(slice(store, 'account'), name, account().account === owner)
        caches.identity.set(addressOf(owner), identity)
      },
      track,
      clock,
    })
  })

  const identity = lazyValue(async () => {
    const [{ createAccountIdentityApi }, { client: api }] = await Promise.all([
      import('../account/accountIdentityApi.ts'),
      chainApi.get(),
    ])
    return createAccountIdentityApi({
      api: api as ChainApiClient, // Only used with a server.
      names: names.get,
      isEmbedded: () => account().connectorId === environment.loginConnector?.id,
      clock,
    })
  })

  const actions = createSendSwapAndOnrampModules({
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
    api: async () => (await chainApi.get()).client,
    portfolio,
    activity,
    names,
  })

  return {
    ...actions,
    names,
    identity,
    portfolio,
    transactions,
    activity,
    async refreshTokens(chain) {
      const loaded = await portfolio.loaded()
      if (!loaded) return
      const { nativeTokenId } = await import('../account/refreshAfterTransaction.ts')
      await loaded.refresh({ force: [nativeTokenId(chain)] })
    },
    stop() {
      actions.stop()
      for (const lazy of [names, identity, portfolio, transactions, activity, chainApi]) lazy.stop()
    },
  }
}

/** Creates the loader for the client of the chain API, which is `undefined` if no server is configured. */
function lazyChainApi({ server, fetch }: PageEnvironment, clock: Clock) {
  return lazyValue(async () => {
    const client =
      server && (await import('../chainApi/chainApiClient.ts')).createChainApiClient({ ...server, fetch, clock })
    return { client, stop: () => client?.stop() }
  })
}

/** Creates the loader for the portfolio, with the tokens that users added. */
function lazyPortfolio({
  options,
  environment: { fetch, storage },
  chainApi,
  clock,
  log,
  now,
}: Pick<RuntimeDependencies, 'options' | 'clock' | 'log'> & {
  readonly environment: PageEnvironment
  readonly chainApi: ReturnType<typeof lazyChainApi>
  now(): PortfolioSubject | undefined
}): LazyValue<Portfolio> {
  return lazyValue(async () => {
    const [{ createPortfolio }, { addedTokensEntry, createAddedTokens }, { createCaches }, { client: api }] =
      await Promise.all([
        import('../account/portfolio.ts'),
        import('../account/addedTokens.ts'),
        import('../storage/storedCaches.ts'),
        chainApi.get(),
      ])
    const adapters = options.adapters ?? []
    const hostFetch = options.fetch && fetch
    return createPortfolio({
      api,
      adapters,
      ...(hostFetch && { fetch: hostFetch }),
      cache: createCaches({ storage: () => storage, id: options.id, clock, log }).portfolio,
      added: createAddedTokens({
        entry: addedTokensEntry({ storage: () => storage, id: options.id, log }),
        adapters,
        fetch: hostFetch,
      }),
      clock,
      log,
      now,
    })
  })
}

/** Returns the identity with its new name, and shows it if the account is the active one. */
function showName(state: Store<State['account']>, name: string, isActive: boolean): Identity {
  const identity = { ...state.get().identity.value, name }
  if (isActive) state.set({ ...state.get(), identity: { status: 'ready', value: identity } })
  return identity
}
