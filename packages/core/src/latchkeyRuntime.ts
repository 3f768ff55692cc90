import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { ErrorCode } from '@latchkey/protocol/latchkeyError'
import { loadOnce } from '@latchkey/protocol/loadOnce'
import type { Connector } from './adapter.ts'
import type { ConnectionState, Latchkey } from './latchkeyTypes.ts'
import { lazyValue } from './lib/lazyValue.ts'
import { logLoadFailure } from './lib/logLoadFailure.ts'
import { slice } from './lib/store.ts'
import type { Modal } from './modal/modal.ts'
import type { LatchkeyOptions } from './options.ts'
import type { ConnectionRuntime, createConnectionRuntime } from './runtime/connectionRuntime.ts'
import { discoverWallets } from './runtime/discoverWallets.ts'
import { isReturningUser } from './runtime/isReturningUser.ts'
import { type PageEnvironment, pageEnvironment } from './runtime/pageEnvironment.ts'
import { createStartupModules, type RuntimeDependencies, type StartupModules } from './runtime/startupModules.ts'
import { createWalletLists } from './runtime/walletLists.ts'

/** An instance's runtime. It is loaded on `start()`, so that it does not delay the first render. */
export interface LatchkeyRuntime
  extends Omit<
    Latchkey,
    'options' | 'state' | 'start' | 'on' | 'log' | 'account' | 'network' | 'supports' | 'setTheme' | 'modal'
  > {
  readonly modal: Modal
  report(text: string, cause: unknown): void
  stop(): void
}

/** The module that contains the connection runtime. */
interface ConnectionChunk {
  readonly createConnectionRuntime: typeof createConnectionRuntime
}

/** Loads the connection runtime if the page needs it on start. Resolves to a function that creates the runtime. */
export async function loadLatchkeyRuntime(dependencies: RuntimeDependencies): Promise<() => LatchkeyRuntime> {
  const { options, log } = dependencies
  const environment = pageEnvironment(options, log)
  const chunk = needsConnections(options, environment) ? await import('./runtime/connectionRuntime.ts') : undefined
  return () => createLatchkeyRuntime({ ...dependencies, environment }, chunk)
}

/**
 * Whether the page needs the connection runtime on start, either to restore something from an earlier visit or because of options
 * that take effect before the user connects.
 */
function needsConnections(options: LatchkeyOptions, environment: PageEnvironment): boolean {
  return (
    isReturningUser(options, environment) ||
    options.initialState !== undefined ||
    options.cookie === true ||
    options.embedded === true ||
    environment.signsIn ||
    environment.loginConnector !== undefined ||
    // A connector for remote wallets is not used until the user connects. Others might use the instance as soon as it starts.
    (options.wallets ?? []).some(({ attach, pairing }) => attach && !pairing)
  )
}

/**
 * Creates the runtime, which discovers wallets and controls the modal. If `chunk` is specified, also restores the last session.
 * Otherwise, the connection runtime is loaded on first use. `stop()` cleans up everything.
 */
function createLatchkeyRuntime(
  dependencies: RuntimeDependencies & { readonly environment: PageEnvironment },
  chunk: ConnectionChunk | undefined,
): LatchkeyRuntime {
  const { options, store, log, clock, environment, notLoaded } = dependencies
  const { server, fetch, mobile } = environment
  let connections: ConnectionRuntime | undefined
  let unstoredNetwork: ChainId | undefined
  let stopped = false

  const core = createStartupModules({
    ...dependencies,
    session: (...params) => connections?.session(...params),
    storeNetwork(chain) {
      if (connections) connections.records.activeNetwork.set(chain)
      else unstoredNetwork = chain
    },
  })
  const { notifications, analytics, errors, registry, modal } = core
  const { track } = analytics
  const directory = lazyValue(async () =>
    (await import('./runtime/walletDirectory.ts')).createWalletDirectory({
      options,
      server,
      state: store,
      fetch,
      clock,
      log,
      mobile,
      track,
      refused: errors.invalidApp,
    }),
  )
  const getDirectory = async () => (server && !stopped ? directory.get() : undefined)

  const createConnections = ({ createConnectionRuntime }: ConnectionChunk, restores: boolean): ConnectionRuntime => {
    const created = createConnectionRuntime({ ...dependencies, core, directory: getDirectory, restores })
    connections = created
    if (unstoredNetwork) created.records.activeNetwork.set(unstoredNetwork)
    return created
  }
  const loadConnections = loadOnce(async () => {
    const loaded = await import('./runtime/connectionRuntime.ts').catch((cause: unknown) => {
      throw notLoaded(cause)
    })
    if (stopped) throw notLoaded()
    return createConnections(loaded, false)
  })
  /** Calls `method` with the connection runtime, which is loaded first if necessary. */
  const call = <Result>(method: (loaded: ConnectionRuntime) => Promise<Result>): Promise<Result> =>
    connections ? method(connections) : loadConnections().then(method)
  /** Loads the connection runtime, and then connects. The namespace is already shown as connecting while the runtime loads. */
  const connectOnceLoaded: Latchkey['connect'] = async (params) => {
    const { connectorId, chain } = params
    const connector = registry.find(connectorId, params.namespace ?? (chain && namespaceOf(chain)))
    showConnection(store, connector, { status: 'connecting', connectorId })
    try {
      await loadConnections()
    } catch (error) {
      if (!stopped) showConnection(store, connector, { status: 'disconnected' })
      throw error
    }
    return call((loaded) => loaded.connect(params))
  }
  const run = (task: (loaded: ConnectionRuntime) => void): void => {
    if (connections) task(connections)
    else loadConnections().then(task).catch(logLoadFailure(log, 'connections'))
  }

  reportMissingOptions({ ...dependencies, core })
  if (chunk) createConnections(chunk, true)
  else store.set({ ...store.get(), ready: true })
  trackStart({ ...dependencies, core })
  const stopDiscovery = discoverWallets({
    adapters: options.adapters ?? [],
    multichainConnectors: options.wallets ?? [],
    log,
    isOwn: (provider) => connections?.isOwn(provider) ?? false,
    found(connector) {
      registry.add(connector)
      if (connections) connections.found(connector)
      // Inside the Safe app, Safe connects automatically.
      else if (connector.id === 'safe') run((loaded) => loaded.found(connector))
    },
  })

  return {
    modal,
    track,
    report: analytics.report,
    toast: notifications.toast,
    hideToast: notifications.hideToast,
    alert: notifications.alert,
    hideAlert: notifications.hideAlert,
    session(namespace = store.get().networks.namespace) {
      return namespace && connections?.session(namespace)
    },
    connector: registry.find,
    shown: registry.shown,
    ...createWalletLists({
      options,
      registry,
      state: store,
      offersSocials: () => connections?.offersSocials() ?? false,
    }),
    directory: getDirectory,
    prepare: () => call(async () => {}),
    storage: () => call(async ({ records }) => records),
    connect: (params) => (connections ? connections.connect(params) : connectOnceLoaded(params)),
    disconnect: (params) => call((loaded) => loaded.disconnect(params)),
    switchNetwork: (chain) => call((loaded) => loaded.switchNetwork(chain)),
    addNetwork: (network) => call((loaded) => loaded.addNetwork(network)),
    removeNetwork: (chain) => call((loaded) => loaded.removeNetwork(chain)),
    checkHealth: (namespace) => call((loaded) => loaded.checkHealth(namespace)),
    // Without the connection runtime, no account is connected, so there is nothing to refresh.
    refresh: async (params) => connections?.refresh(params),
    login: () => call((loaded) => loaded.login()),
    names: () => call((loaded) => loaded.names()),
    onramp: () => call((loaded) => loaded.onramp()),
    pairing: () => call((loaded) => loaded.pairing()),
    portfolio: () => call((loaded) => loaded.portfolio()),
    send: () => call((loaded) => loaded.send()),
    swap: () => call((loaded) => loaded.swap()),
    activity: { add: (transaction) => run((loaded) => loaded.activity.add(transaction)) },
    transactions: () => call((loaded) => loaded.transactions()),
    signIn: () => call((loaded) => loaded.signIn()),
    activate(params) {
      // Without the connection runtime, no wallet is connected. The error is shaped like a LatchkeyError, as in `createLatchkey`.
      const { connectorId } = params
      const code: ErrorCode = 'wallet/not-found'
      if (!connections)
        throw Object.assign(new Error(`Wallet "${connectorId}" was not found.`), { code, details: { connectorId } })
      connections.activate(params)
    },
    pickNetwork: (chain) => run((loaded) => loaded.pickNetwork(chain)),
    pickWallet: (picked) => run((loaded) => loaded.pickWallet(picked)),
    stop() {
      stopped = true
      stopDiscovery()
      connections?.stop()
      directory.stop()
      modal.stop()
      notifications.stop()
      analytics.stop()
    },
  }
}

/** Sets the status of the connector's namespace. It does not change during a pairing until the wallet has responded. */
function showConnection(
  store: RuntimeDependencies['store'],
  connector: Connector | undefined,
  connection: ConnectionState,
): void {
  if (!connector || connector.type === 'WALLET_CONNECT') return
  const state = slice(store, 'connections')
  const { byNamespace, others } = state.get()
  state.set({ byNamespace: { ...byNamespace, [connector.namespace]: connection }, others })
}

/** Reports features that are off because an option is missing. */
function reportMissingOptions({
  options,
  log,
  environment,
  core,
}: Pick<RuntimeDependencies, 'options' | 'log'> & {
  readonly environment: PageEnvironment
  readonly core: StartupModules
}): void {
  if (options.server && !options.projectId) {
    const detail = 'A server is configured without a projectId: wallet directory, analytics and chain data are off.'
    core.notifications.alert({ code: 'app/no-project', text: 'Project ID Not Configured' }, detail)
  }
  if (!environment.signsIn && options.signIn !== undefined && options.signIn !== 'off')
    log.error('signIn needs a server or an authentication adapter. Sign-in is off.')
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
