import type { AccountId } from '@latchkey/protocol/caip'
import { createAccountPolling } from './account/accountPolling.ts'
import type { Connector } from './adapter.ts'
import type { Latchkey } from './latchkeyTypes.ts'
import { slice } from './lib/store.ts'
import { createWalletSocials } from './login/walletSocials.ts'
import { createApprovalNavigation } from './modal/approvalNavigation.ts'
import { followConnections } from './modal/connectionNavigation.ts'
import type { Modal } from './modal/modal.ts'
import { createConnectionActions } from './runtime/connectionActions.ts'
import { createConnectorContext } from './runtime/createConnectorContext.ts'
import { discoverWallets } from './runtime/discoverWallets.ts'
import { followAccount } from './runtime/followAccount.ts'
import { createLazyModules } from './runtime/lazyModules.ts'
import { createNetworkActions } from './runtime/networkActions.ts'
import { pageEnvironment } from './runtime/pageEnvironment.ts'
import { createStartupModules, type RuntimeDependencies, type StartupModules } from './runtime/startupModules.ts'
import { createWalletActions } from './runtime/walletActions.ts'
import type { StorageSchema } from './storage/storageSchema.ts'

/** An instance's runtime. It is loaded on `start()`, so that it does not delay the first render. */
export interface LatchkeyRuntime
  extends Omit<
    Latchkey,
    'options' | 'state' | 'start' | 'on' | 'log' | 'account' | 'network' | 'supports' | 'setTheme' | 'storage' | 'modal'
  > {
  readonly records: StorageSchema
  readonly modal: Modal
  report(text: string, cause: unknown): void
  stop(): void
}

/** Creates the runtime, which reads storage, discovers wallets and restores the last session. `stop()` cleans up everything. */
export function createLatchkeyRuntime(dependencies: RuntimeDependencies): LatchkeyRuntime {
  const { options, store, log, clock, account } = dependencies
  const { adapters = [], wallets: multichainConnectors = [] } = options
  const environment = pageEnvironment(options, log)
  const { server, fetch, mobile, listsAllWallets, loginConnector, pairingConnector, signsIn } = environment
  const core = createStartupModules({
    ...dependencies,
    environment,
    transactionSent: () => polling.afterTransaction(),
  })
  const { records, notifications, analytics, errors, networks, registry, connections, modal } = core
  const { track } = analytics
  const session: Latchkey['session'] = (namespace = store.get().networks.namespace) =>
    namespace ? connections.session(namespace) : undefined
  const networkActions = createNetworkActions({ networks, connections, state: store, notifications, modal })
  const { network, ...networkMethods } = networkActions
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
    actions: { ...connectionMethods, connectNamespace, switchNetwork: networkMethods.switchNetwork },
    session,
    disconnecting,
  })
  const { accountQueries: queries } = lazy
  const polling = createAccountPolling({ queries, state: store, account, clock, log })
  const socials = createWalletSocials({
    state: store,
    embedded: options.embedded === true,
    request: async () => (await lazy.directory())?.socials(),
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
  restoreState({ ...dependencies, core, loadsSocials })
  const stopNavigation = followConnections({
    latchkey: { state: store, account, supports: networks.supports, options },
    modal,
    signsIn,
    filter: registry.filter,
  })
  const stopFollowing = followAccount({ state: store, account, options, queries, log })
  if (loadsSocials) socials.start()
  if (signsIn) lazy.startSignIn()
  else if (options.signIn !== undefined && options.signIn !== 'off')
    log.error('signIn needs a server or an authentication adapter. Sign-in is off.')
  trackStart({ ...dependencies, core })
  const stopDiscovery = discoverWallets({
    adapters,
    multichainConnectors,
    context,
    session: connections.session,
    state: store,
    modal,
    log,
    has: registry.has,
    disconnect: (connectorId) => connectionMethods.disconnect({ connectorId }),
    found(connector: Connector) {
      registry.add(connector)
      connections.found(connector)
    },
  })
  if (records.leavingSocial.get() !== undefined) lazy.resumeLogin()

  return {
    records,
    modal,
    track,
    report: analytics.report,
    toast: notifications.toast,
    hideToast: notifications.hideToast,
    alert: notifications.alert,
    hideAlert: notifications.hideAlert,
    session,
    connector: registry.find,
    shown: registry.shown,
    ...createWalletActions({
      options,
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
    prepare: async () => {},
    async checkHealth(namespace = store.get().networks.namespace) {
      if (!namespace) return
      connections.retry(namespace)
      await session(namespace)?.ping()
    },
    refresh: polling.refresh,
    directory: lazy.directory,
    login: lazy.login,
    pairing: lazy.pairing,
    signIn: lazy.signIn,
    stop() {
      polling.stop()
      stopNavigation()
      stopFollowing()
      socials.stop()
      stopDiscovery()
      lazy.stop()
      connections.stop()
      modal.stop()
      notifications.stop()
      analytics.stop()
    },
  }
}

/** Restores a returning user's networks, wallets and connections. */
function restoreState({
  options,
  store,
  core: { records, networks, connections, notifications },
  loadsSocials,
}: RuntimeDependencies & { readonly core: StartupModules; readonly loadsSocials: boolean }): void {
  if (options.server && !options.projectId) {
    const detail = 'A server is configured without a projectId: wallet directory, analytics and chain data are off.'
    notifications.alert({ code: 'app/no-project', text: 'Project ID Not Configured' }, detail)
  }
  const wallets = slice(store, 'wallets')
  records.adopt()
  networks.restore()
  wallets.set({
    ...wallets.get(),
    recent: records.recentWallets.get() ?? [],
    ...(loadsSocials && { socials: 'loading' }),
  })
  store.set({ ...store.get(), ready: true })
  connections.restore()
}

/** Queues the first analytics event. */
function trackStart({ store, core }: Pick<RuntimeDependencies, 'store'> & { readonly core: StartupModules }): void {
  const {
    networks: { known, active },
    theme,
  } = store.get()
  core.analytics.track({
    event: 'INITIALIZE',
    properties: {
      networks: known.map(({ id }) => id),
      themeMode: theme.mode,
      ...(active && { defaultNetwork: active }),
    },
  })
}
