import type { AccountId } from '@latchkey/protocol/caip'
import { createBalancePolling } from '../account/balancePolling.ts'
import { type Connections, createConnections } from '../connections/connections.ts'
import type { Latchkey } from '../latchkeyTypes.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import { createRetries, type Retries } from '../lib/retries.ts'
import { slice } from '../lib/store.ts'
import { embeddedAccountType } from '../login/embeddedAccountType.ts'
import { offeredSocials } from '../login/offeredSocials.ts'
import { createWalletSocials } from '../login/supportedSocials.ts'
import { createApprovalNavigation } from '../modal/approvalNavigation.ts'
import { followConnections } from '../modal/connectionNavigation.ts'
import { createNetworkChanges } from '../networks/addAndRemoveNetworks.ts'
import { createRecords, type StorageSchema } from '../storage/storageSchema.ts'
import { createRecentWallets, type RecentWallets } from '../wallets/recentWallets.ts'
import { attachConnectors } from './attachConnectors.ts'
import { createConnectionActions } from './connectionActions.ts'
import { createConnectorContext } from './createConnectorContext.ts'
import { createLazyModules, type LazyModules } from './lazyModules.ts'
import { createNetworkActions } from './networkActions.ts'
import type { PageEnvironment } from './pageEnvironment.ts'
import { createPickWallet } from './pickWallet.ts'
import type { RuntimeDependencies, StartupModules } from './startupModules.ts'
import { watchAccount } from './watchAccount.ts'

type LoaderName =
  | 'login'
  | 'names'
  | 'onramp'
  | 'pairing'
  | 'activity'
  | 'portfolio'
  | 'send'
  | 'swap'
  | 'transactions'
  | 'signIn'

/**
 * The part of an instance that restores, opens and ends connections. It is loaded on `start()` if the page needs it at that time,
 * and otherwise when the user is about to connect.
 */
export interface ConnectionRuntime
  extends Pick<
    Latchkey,
    | 'connect'
    | 'disconnect'
    | 'activate'
    | 'switchNetwork'
    | 'addNetwork'
    | 'removeNetwork'
    | 'pickNetwork'
    | 'pickWallet'
    | 'checkHealth'
    | 'refresh'
    | LoaderName
  > {
  readonly records: StorageSchema
  readonly session: Connections['session']
  /** Handles a discovered connector, and restores its session if it was connected on the last visit. */
  readonly found: Connections['found']
  /** Whether this instance has announced the provider to other kits. */
  isOwn(provider: unknown): boolean
  /** Whether the embedded wallet offers any social login. */
  offersSocials(): boolean
  stop(): void
}

/** Creates the connection runtime. Restores a returning user's networks, wallets and connections if `restores` is `true`. */
export function createConnectionRuntime({
  environment,
  core,
  directory,
  restores,
  ...dependencies
}: RuntimeDependencies & {
  readonly environment: PageEnvironment
  readonly core: StartupModules
  readonly directory: Latchkey['directory']
  readonly restores: boolean
}): ConnectionRuntime {
  const { options, store, log, clock, account } = dependencies
  const { adapters = [], wallets: multichainConnectors = [] } = options
  const { server, storage, fetch, mobile, listsAllWallets, loginConnector, pairingConnector, signsIn } = environment
  const { notifications, errors, networks, registry, modal } = core
  const { track } = core.analytics
  const activeNamespace = () => store.get().networks.namespace
  const records = createRecords({ storage: () => storage, log, id: options.id })
  const retries = createRetries(clock)
  const recentWallets = createRecentWallets({ records, wallets: slice(store, 'wallets') })
  const connections = openConnections(dependencies, {
    environment,
    core,
    records,
    retries,
    recentWallets,
    sent: () => polling.afterTransaction(),
  })
  const session: Latchkey['session'] = (namespace = activeNamespace()) =>
    namespace ? connections.session(namespace) : undefined
  const networkChanges = createNetworkChanges({ state: slice(store, 'networks'), adapters })
  const { network, ...networkMethods } = createNetworkActions({
    networks,
    changes: networkChanges,
    connections,
    state: store,
    notifications,
    modal,
  })
  const disconnecting = new Set<AccountId>()
  const { connectNamespace, ...connectionMethods } = createConnectionActions({
    connections,
    registry,
    records,
    state: store,
    pairing: () => lazy.pairing(),
    disconnecting: (account) => disconnecting.add(account),
  })
  const lazy = createLazyModules({
    ...dependencies,
    environment,
    core,
    records,
    retries,
    recentWallets,
    actions: { ...connectionMethods, connectNamespace, switchNetwork: networkMethods.switchNetwork },
    session,
    directory,
    disconnecting,
  })
  const polling = createBalancePolling({ queries: lazy.balanceAndIdentity, state: store, account, clock, log })
  const socials = createWalletSocials({
    state: store,
    embedded: options.embedded === true,
    request: async () => (await directory())?.socials(),
    clock,
    log,
  })
  const context = createConnectorContext({
    options,
    fetch,
    state: store,
    clock,
    log,
    records,
    signInOnLogin: lazy.signInOnLogin,
    network,
    waiting: lazy.reopenWallet,
    showApproval: createApprovalNavigation({ modal, state: store }),
    socials: socials.set,
    report: errors.report,
  })

  const loadsSocials = loginConnector !== undefined && server !== undefined && options.features?.socials !== false
  if (restores) {
    records.adopt()
    networkChanges.restore(records)
    restoreWallets({ store, records, loadsSocials })
    connections.restore()
  }
  const stopNavigation = followConnections({
    latchkey: { state: store, account, supports: networks.supports, options },
    modal,
    signsIn,
    filter: registry.filter,
  })
  const stopFollowing = watchAccount({ state: store, account, options, queries: lazy.balanceAndIdentity, log })
  if (loadsSocials) socials.start()
  if (signsIn) lazy.startSignIn()
  const attached = attachConnectors({
    adapters,
    multichainConnectors,
    context,
    session: connections.session,
    state: store,
    modal,
    log,
    has: registry.has,
    disconnect: (connectorId) => connectionMethods.disconnect({ connectorId }),
  })
  if (records.leavingSocial.get() !== undefined) lazy.resumeLogin()

  return {
    records,
    session: connections.session,
    found: connections.found,
    isOwn: attached.isOwn,
    offersSocials: () => offeredSocials(options, store.get().wallets).length > 0,
    ...createPickWallet({
      registry,
      state: store,
      modal,
      mobile,
      pairs: pairingConnector !== undefined,
      listsAllWallets,
      track,
    }),
    ...connectionMethods,
    ...networkMethods,
    activate: connections.activate,
    async checkHealth(namespace = activeNamespace()) {
      if (!namespace) return
      connections.retry(namespace)
      await session(namespace)?.ping()
    },
    refresh: polling.refresh,
    ...loadersOf(lazy, log),
    stop() {
      polling.stop()
      stopNavigation()
      stopFollowing()
      socials.stop()
      attached.stop()
      lazy.stop()
      connections.stop()
    },
  }
}

/** Shows the wallets of the last visit, and marks the state as ready. */
function restoreWallets({
  store,
  records,
  loadsSocials,
}: Pick<RuntimeDependencies, 'store'> & {
  readonly records: StorageSchema
  readonly loadsSocials: boolean
}): void {
  const wallets = slice(store, 'wallets')
  wallets.set({
    ...wallets.get(),
    recent: records.recentWallets.get() ?? [],
    ...(loadsSocials && { socials: 'loading' }),
  })
  store.set({ ...store.get(), ready: true })
}

/** Returns the methods of an instance that use the lazily loaded modules. */
function loadersOf(
  { login, names, onramp, pairing, portfolio, send, swap, transactions, activity, signIn }: LazyModules,
  log: RuntimeDependencies['log'],
): Pick<Latchkey, LoaderName> {
  return {
    login,
    names,
    onramp,
    pairing,
    portfolio,
    send,
    swap,
    transactions,
    activity: {
      add(transaction) {
        activity().then((loaded) => loaded?.addFromHost(transaction), logLoadFailure(log, 'account'))
      },
    },
    signIn,
  }
}

/** Creates the connections of the instance. */
function openConnections(
  { options, store, log, events, clock }: RuntimeDependencies,
  {
    environment: { namespaces },
    core: { networks, analytics },
    records,
    retries,
    recentWallets,
    sent,
  }: {
    readonly environment: PageEnvironment
    readonly core: StartupModules
    readonly records: StorageSchema
    readonly retries: Retries
    readonly recentWallets: RecentWallets
    /** Called when a transaction was sent through a session. */
    sent(): void
  },
): Connections {
  return createConnections({
    state: slice(store, 'connections'),
    namespaces,
    networks,
    accountTypes: () =>
      Object.fromEntries(
        namespaces.map((namespace) => [namespace, embeddedAccountType(namespace, { options, records })]),
      ),
    active: () => store.get().networks.namespace,
    records,
    events,
    clock,
    retries,
    log,
    reconnect: options.reconnect !== false,
    multiWallet: options.multiWallet === true,
    track: analytics.track,
    used: recentWallets.addConnector,
    sent,
  })
}
