import { addressOf, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import type { Wallet } from '@latchkey/protocol/http/contract'
import { authNamespaces, sentReadsMs } from '@latchkey/protocol/limits'
import type { Readings } from './account/readings.ts'
import type { Connector } from './adapter.ts'
import type { Analytics, AnalyticsEvent } from './analytics/analytics.ts'
import { type Connections, createConnections } from './connections/connections.ts'
import { stateCookie } from './cookie.ts'
import type {
  AccountView,
  ConnectionState,
  ConnectorInfo,
  HostEvents,
  Latchkey,
  ShownConnector,
  State,
} from './latchkey.ts'
import { isMobile } from './lib/device.ts'
import type { Events } from './lib/events.ts'
import type { Log } from './lib/log.ts'
import { type Store, slice } from './lib/store.ts'
import { createBridgeHost } from './login/bridgeHost.ts'
import type { createLogin } from './login/createLogin.ts'
import { followJourneys } from './modal/journeys.ts'
import { createModal, type Modal } from './modal/modal.ts'
import { createNotices } from './modal/notices.ts'
import { pick } from './modal/pick.ts'
import { networkRoute, type Situation } from './modal/router.ts'
import { createNetworks } from './networks/networks.ts'
import type { InitialState, KeyValueStorage, LatchkeyOptions } from './options.ts'
import type { createPairing } from './pairing/createPairing.ts'
import { createRecords, type RecentWallet, type StorageRecords } from './storage/storage.ts'
import type { Directory } from './wallets/directory.ts'
import { listedChains } from './wallets/listedChains.ts'
import { connectMethodsOrder, shownConnectors, withConnector } from './wallets/shown.ts'

/** How many events wait for the visitor's first click before the oldest is dropped. */
const maxWaiting = 20

/** What the page's first bytes hand over. */
export interface EngineDeps {
  readonly options: LatchkeyOptions
  readonly store: Store<State> & { readonly initial: State }
  readonly log: Log
  readonly events: Events<HostEvents>
  readonly clock: Clock
  account(namespace?: Namespace): AccountView
}

/** Everything that acts: it is loaded at `start()`, so that a page pays for it after it is drawn. */
export interface Engine
  extends Omit<
    Latchkey,
    'options' | 'state' | 'start' | 'on' | 'log' | 'account' | 'network' | 'supports' | 'setTheme' | 'storage' | 'modal'
  > {
  readonly records: StorageRecords
  readonly modal: Modal
  report(text: string, cause: unknown): void
  stop(): void
}

/** Reads storage, listens for wallets, restores the last session; `stop()` undoes all of it. */
export function createEngine(deps: EngineDeps): Engine {
  const { options, store, log, events, clock } = deps
  const { adapters = [], wallets: bridges = [], debug = false, signIn = 'off' } = options
  const fetcher: typeof fetch = (...asked) => (options.fetch ?? fetch)(...asked)
  const namespaces = [...new Set(adapters.map(({ namespace }) => namespace))]
  const kept = options.storage ?? pageStorage()
  const connectors = new Map<string, Connector>()
  const discovery = new AbortController()
  let stopped = false
  let lastShown: { for: State['wallets']; list: readonly ShownConnector[] } | undefined

  const records = createRecords({ storage: () => kept, log, id: options.id })
  const mobile = () => (options.platform ? options.platform === 'mobile' : isMobile())
  const server = options.server && options.projectId ? { url: options.server, projectId: options.projectId } : undefined
  /** Whether Connect leads to all wallets on a phone. */
  const listsAll = server !== undefined && options.features?.allWallets !== false

  // What is loaded when it is first needed.
  let analytics: Analytics | undefined
  let directory: Promise<Directory> | undefined
  let readings: Promise<Readings> | undefined
  let login: Promise<ReturnType<typeof createLogin>> | undefined
  let pairing: Promise<ReturnType<typeof createPairing>> | undefined
  let waiting: AnalyticsEvent[] = []
  let clicked = false
  const track = (event: AnalyticsEvent) => {
    if (!server || options.features?.analytics === false || stopped) return
    if (analytics) return analytics.track(event)
    waiting = [...waiting, event].slice(-maxWaiting)
    if (event.event !== 'MODAL_OPEN' || clicked) return
    // Nothing leaves the page before the visitor's first click.
    clicked = true
    import('./analytics/client.ts').then(({ createAnalytics }) => {
      if (stopped) return
      analytics = createAnalytics({
        ...server,
        analyticsUrl: options.analyticsUrl,
        fetch: fetcher,
        clock,
        address: () => deps.account().address,
        network: () => store.get().networks.active,
        refused: () => invalidApp('The analytics service refused this origin (403).'),
      })
      for (const each of waiting) analytics.track(each)
      waiting = []
    }, failedToLoad('analytics'))
  }
  let alerted = false
  const invalidApp = (detail: string) => {
    if (alerted) return
    alerted = true
    notices.alert({ code: 'app/origin-not-allowed', text: 'Invalid App Configuration' }, detail)
  }

  // The parts, floor by floor.
  const networks = createNetworks({ state: slice(store, 'networks'), adapters, records })
  const wallets = slice(store, 'wallets')
  const connections: Connections = createConnections({
    state: slice(store, 'connections'),
    namespaces,
    networks,
    active: () => store.get().networks.namespace,
    records,
    events,
    clock,
    log,
    reconnect: options.reconnect !== false,
    multiWallet: options.multiWallet === true,
    track,
    used: remember,
    sent: () => afterSending(),
  })
  const notices = createNotices({ toast: slice(store, 'toast'), alert: slice(store, 'alert'), clock, log, debug })
  const filter = (namespace: Namespace | undefined) => {
    if (wallets.get().filter !== namespace) wallets.set({ ...wallets.get(), filter: namespace })
  }
  const modal = createModal({
    state: slice(store, 'modal'),
    clock,
    log,
    embedded: options.embedded === true,
    situation,
    enter(namespace) {
      const now = store.get().networks
      if (now.namespace === namespace) return
      const chain = connections.session(namespace)?.chain ?? networks.first(namespace)
      if (chain) networks.activate(chain)
    },
    filter,
    track,
    closed: notices.hideToast,
  })

  const bridged = createBridgeHost({
    options,
    modal,
    state: store,
    clock,
    log,
    records,
    network(namespace = store.get().networks.namespace) {
      const { active } = store.get().networks
      const first = namespace && networks.first(namespace)
      const chain = active && (!namespace || namespaceOf(active) === namespace) ? active : first
      return chain && networks.find(chain)
    },
    waiting(asked) {
      if (records.deepLink.get())
        void engine.pairing().then(async () => (await pairing)?.remind(asked), failedToLoad('pairing'))
    },
    report(what, error) {
      const { code, message } = error
      if (code === 'app/origin-not-allowed') return invalidApp(`${what}: ${message}`)
      notices.alert({ code, text: message }, `${what}: ${message}`)
      analytics?.report(what, error)
    },
  })

  const engine: Engine = {
    records,
    modal,
    track,
    report: (text, cause) => analytics?.report(text, cause),
    toast: notices.toast,
    hideToast: notices.hideToast,
    alert: notices.alert,
    hideAlert: notices.hideAlert,
    session: (namespace = store.get().networks.namespace) => (namespace ? connections.session(namespace) : undefined),
    connector: (id, namespace) => find(id, namespace),
    shown,
    connectMethods() {
      const embedded = [...connectors.values()].some(
        ({ type, namespace }) => type === 'AUTH' && (namespace === 'eip155' || namespace === 'solana'),
      )
      const { email = true, socials = true } = options.features ?? {}
      return connectMethodsOrder({
        shown: shown(),
        configured: options.connectMethodsOrder,
        works: { wallet: true, email: embedded && email, social: embedded && socials !== false },
      })
    },

    async connect({ connectorId, namespace, chain, signal }) {
      const connector = find(connectorId, namespace ?? (chain && namespaceOf(chain)))
      if (!connector) throw new LatchkeyError('wallet/not-found', { connectorId })
      // One pairing serves every family: whichever was asked for, all that the wallet grants are connected.
      const paired = connector.type === 'WALLET_CONNECT' ? await engine.pairing() : undefined
      if (paired) return paired.connect({ namespace: connector.namespace, chain, signal })
      return connections.connect({ connector, chain, signal })
    },
    async disconnect(asked) {
      try {
        await connections.disconnect(asked)
      } finally {
        if (![...connectors.values()].some(isPairedNow)) records.deepLink.clear()
        filter(undefined)
      }
    },
    activate: connections.activate,
    async switchNetwork(chain) {
      const network = networks.supports(chain) ? networks.find(chain) : undefined
      if (!network) {
        const detail = `${chain} is not among the networks of this app's adapters.`
        notices.alert({ code: 'network/not-found', text: 'Network Not Found' }, detail)
        throw new LatchkeyError('network/not-found', { chain })
      }
      await connections.switchNetwork(network)
    },
    pickWallet(picked) {
      const { namespace } = store.get().networks
      const next = pick(picked, {
        shown: shown(),
        pairs: bridges.some((bridge) => bridge.pairings),
        directory: listsAll,
        mobile: mobile(),
        namespace,
        page: globalThis.window,
      })
      if ('away' in next) return window.location.assign(next.away)
      if (next.platform) track({ event: 'SELECT_WALLET', properties: { name: picked.name, platform: next.platform } })
      modal.show(next.view)
    },
    pickNetwork(target) {
      const now = store.get()
      const { namespace, active } = now.networks
      const next = networkRoute({
        active,
        target,
        connected: (each) => isConnected(now.connections.byNamespace[each]),
        embeddedWallet: namespace !== undefined && connections.session(namespace)?.connector.type === 'AUTH',
      })
      if (next) modal.show(next)
    },
    prepare: async () => {},
    async checkHealth(namespace) {
      await engine.session(namespace)?.check()
    },
    async refresh(asked) {
      if (stopped || !deps.account().account) return
      readings ??= import('./account/readings.ts').then(({ createReadings }) =>
        createReadings({
          state: slice(store, 'account'),
          adapters,
          storage: () => kept,
          id: options.id,
          clock,
          log,
          now() {
            const { account, chain } = deps.account()
            const network = chain && networks.find(chain)
            return account && network ? { account, network, session: engine.session() } : undefined
          },
        }),
      )
      readings.catch(() => {
        readings = undefined
      })
      await (await readings).refresh(asked)
    },

    async directory() {
      if (!server || stopped) return undefined
      directory ??= import('./wallets/client.ts').then(({ createDirectory }) => {
        const { includeWalletIds, excludeWalletIds, featuredWalletIds, serverAlternative } = options
        const made = createDirectory({
          ...server,
          alternative: serverAlternative,
          fetch: fetcher,
          clock,
          log,
          mobile,
          chains: listedChains(store.get().networks.known),
          include: includeWalletIds,
          exclude: excludeWalletIds,
          featured: featuredWalletIds,
          excluded: (excluded) => wallets.set({ ...wallets.get(), excluded }),
          searched: (search, badge) =>
            track({ event: 'SEARCH_WALLET', properties: { search, ...(badge && { badge }) } }),
          refused: invalidApp,
        })
        if (stopped) made.stop()
        return made
      })
      // A chunk that did not come is asked for again by the next who asks.
      directory.catch(() => {
        directory = undefined
      })
      return directory
    },
    async login() {
      const bridge = bridges.find((each) => each.door)
      const door = bridge?.door
      if (!bridge || !door || stopped) return undefined
      const loginConnectorId = bridge.id
      login ??= import('./login/createLogin.ts').then((loaded) =>
        loaded.createLogin({
          door,
          records,
          clock,
          log,
          state: store,
          modal,
          track,
          toast: notices.toast,
          async connect({ namespace, beside }) {
            const connector = connectors.get(`${namespace}:${loginConnectorId}`)
            if (!connector) throw new LatchkeyError('wallet/not-found', { connectorId: loginConnectorId })
            await connections.connect({ connector, beside })
          },
          namespaces: () => authNamespaces.filter((namespace) => connectors.has(`${namespace}:${loginConnectorId}`)),
        }),
      )
      login.catch(() => {
        login = undefined
      })
      return login
    },
    async pairing() {
      const bridge = bridges.find((each) => each.pairings)
      const door = bridge?.pairings
      if (!bridge || !door || stopped) return undefined
      const connectorId = bridge.id
      pairing ??= import('./pairing/createPairing.ts').then((loaded) =>
        loaded.createPairing({
          door,
          records,
          clock,
          log,
          state: store,
          manual: options.manualWalletConnect === true,
          universalLinks: options.universalLinks !== false,
          signIn: signIn !== 'off' && namespaces.every((each) => each === 'eip155') ? options.signInKeeper : undefined,
          mobile,
          async connect({ namespace, ...asked }) {
            const connector = connectors.get(`${namespace}:${connectorId}`)
            if (!connector) throw new LatchkeyError('wallet/not-found', { connectorId })
            return connections.connect({ connector, ...asked })
          },
          used: rememberWallet,
          track,
          toast: notices.toast,
          hideToast: notices.hideToast,
        }),
      )
      pairing.catch(() => {
        pairing = undefined
      })
      return pairing
    },
    signIn: async () => undefined,
    stop() {
      stopped = true
      discovery.abort()
      unfollow()
      unwatch()
      for (const detach of detaches) detach()
      login?.then(
        (made) => made.stop(),
        () => undefined,
      )
      pairing?.then(
        (made) => made.stop(),
        () => undefined,
      )
      connections.stop()
      modal.stop()
      notices.stop()
      analytics?.stop()
      directory?.then(
        (made) => made.stop(),
        () => undefined,
      )
      readings?.then(
        (made) => made.stop(),
        () => undefined,
      )
    },
  }

  if (options.server && !options.projectId) {
    const detail = 'A server is configured without a projectId: wallet directory, analytics and chain data stay off.'
    notices.alert({ code: 'app/no-project', text: 'Project ID Not Configured' }, detail)
  }
  records.adopt()
  networks.restore()
  wallets.set({ ...wallets.get(), recent: records.recentWallets.get() ?? [] })
  store.set({ ...store.get(), ready: true })
  connections.restore()
  const unfollow = followJourneys({
    latchkey: { state: store, account: deps.account, supports: networks.supports, options },
    modal,
    filter,
  })
  const unwatch = watch()
  const {
    networks: { known, active },
    theme,
  } = store.get()
  track({
    event: 'INITIALIZE',
    properties: {
      networks: known.map(({ id }) => id),
      themeMode: theme.mode,
      ...(active && { defaultNetwork: active }),
    },
  })
  const detaches = bridges.map((bridge) => bridge.attach?.(bridged) ?? (() => {}))
  for (const adapter of adapters) {
    // One family that cannot be looked into keeps nobody from the others.
    try {
      for (const bridge of bridges) {
        const connector = bridge.connectorFor(adapter)
        if (connector) add(connector)
      }
      adapter.discover(add, discovery.signal)
    } catch (error) {
      log.error(`Unable to look for ${adapter.namespace} wallets`, error)
    }
  }
  if (records.leavingSocial.get() !== undefined) {
    void engine.login().then(async () => (await login)?.comeBack(), failedToLoad('login'))
  }
  return engine

  /** Keeps the readings and the cookie up with the account. */
  function watch(): () => void {
    let last = ''
    const look = () => {
      const { account, chain, status } = deps.account()
      const now = `${status}|${account}|${chain}`
      if (now === last) return
      last = now
      // While a stored account is shown but not yet there again, nothing is read and nothing is forgotten.
      if (status === 'reconnecting' || status === 'connecting') return
      if (options.cookie && typeof document !== 'undefined') {
        const state: InitialState | undefined = account &&
          chain && { namespace: namespaceOf(chain), address: addressOf(account), chain }
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
        document.cookie = stateCookie(state, { id: options.id, secure: location.protocol === 'https:' })
      }
      if (account) engine.refresh().catch(failedToLoad('account'))
      else slice(store, 'account').set(store.initial.account)
    }
    look()
    return store.subscribe(look)
  }

  /** What was sent is in a block soon, or a little later: the balance is read anew then. */
  function afterSending(): void {
    for (const ms of sentReadsMs) {
      clock.after(ms, () => {
        if (!stopped) engine.refresh({ force: true }).catch(failedToLoad('account'))
      })
    }
  }

  function add(connector: Connector): void {
    connectors.set(`${connector.namespace}:${connector.id}`, connector)
    const { id, name, type, namespace, icon, imageId, rdns, explorerId, homepage } = connector
    const info: ConnectorInfo = {
      id,
      name,
      type,
      namespace,
      ...(icon && { icon }),
      ...(imageId && { imageId }),
      ...(rdns && { rdns }),
      ...(explorerId && { explorerId }),
      ...(homepage && { homepage }),
    }
    wallets.set({ ...wallets.get(), connectors: withConnector(wallets.get().connectors, info) })
    connections.found(connector)
  }

  function find(id: string, namespace?: Namespace): Connector | undefined {
    const { filter: filtered } = wallets.get()
    const order = namespace ? [namespace] : [filtered, store.get().networks.namespace, ...namespaces]
    for (const each of order) {
      const connector = each && connectors.get(`${each}:${id}`)
      if (connector) return connector
    }
    return undefined
  }

  function shown(): readonly ShownConnector[] {
    const now = wallets.get()
    if (lastShown?.for !== now)
      lastShown = { for: now, list: shownConnectors({ ...now, mobile: mobile(), directory: listsAll }) }
    return lastShown.list
  }

  function remember(connector: Connector): void {
    const { id, name, rdns, explorerId, imageId } = connector
    records.walletId.set(explorerId ?? id)
    records.walletName.set(name)
    if (!rdns && !explorerId) return
    addRecent({ id: explorerId ?? id, name, ...(rdns && { rdns }), ...(imageId && { image_id: imageId }) })
  }

  function rememberWallet({ id, name, rdns, image_id, image_url, chains }: Wallet): void {
    records.walletId.set(id)
    records.walletName.set(name)
    addRecent({
      id,
      name,
      ...(rdns && { rdns }),
      ...(image_id && { image_id }),
      ...(image_url && { image_url }),
      ...(chains && { chains }),
    })
  }

  function addRecent(wallet: RecentWallet): void {
    records.addRecent(wallet)
    wallets.set({ ...wallets.get(), recent: records.recentWallets.get() ?? wallets.get().recent })
  }

  function isPairedNow({ id, namespace, type }: Connector): boolean {
    const now = store.get().connections.byNamespace[namespace]
    return type === 'WALLET_CONNECT' && now?.status === 'connected' && now.connectorId === id
  }

  function situation(): Situation {
    return {
      connected: deps.account().account !== undefined,
      adapters: adapters.length,
      mobile: mobile(),
      manual: options.manualWalletConnect === true,
      signIn,
      signedIn: false,
    }
  }

  function failedToLoad(what: string): (error: unknown) => void {
    return (error) => log.error(`Unable to load ${what}`, toLatchkeyError(error))
  }
}

function isConnected(now: ConnectionState | undefined): boolean {
  return now?.status === 'connected'
}

/** The page's own storage; reading the property alone may throw where it is forbidden. */
function pageStorage(): KeyValueStorage | undefined {
  try {
    return typeof window === 'undefined' ? undefined : window.localStorage
  } catch {
    return undefined
  }
}
