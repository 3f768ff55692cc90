import { addressOf, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { authNamespaces, idlePollMs, pollMs, sentReadsMs, socialsAnswerMs } from '@latchkey/protocol/constants'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import type { Wallet } from '@latchkey/protocol/http/contract'
import type { Connector, MultichainConnector, Session } from './adapter.ts'
import type { Analytics, AnalyticsEvent } from './analytics/analyticsEvents.ts'
import { type Connections, createConnections } from './connections/connections.ts'
import { stateCookie } from './cookie.ts'
import type {
  AccountView,
  ConnectionState,
  ConnectorGroup,
  ConnectorInfo,
  HostEvents,
  Latchkey,
  State,
} from './latchkey.ts'
import type { Events } from './lib/events.ts'
import type { Log } from './lib/log.ts'
import { isMobile } from './lib/mobile.ts'
import { once } from './lib/once.ts'
import { createRetries } from './lib/retries.ts'
import { type Store, slice } from './lib/store.ts'
import type { announceWallets } from './login/announceEmbeddedWallet.ts'
import { followConnections } from './modal/connectionNavigation.ts'
import { createModal, type Modal } from './modal/modal.ts'
import { createNotifications, errorText } from './modal/notifications.ts'
import { resolveRoute } from './modal/resolveRoute.ts'
import { networkRoute, type RouterContext } from './modal/router.ts'
import { createNetworks } from './networks/networks.ts'
import type { InitialState, KeyValueStorage, LatchkeyOptions } from './options.ts'
import { isSignInRequired } from './signIn/isSignInRequired.ts'
import { createRecords, type RecentWallet, recentOf, type StorageRecords } from './storage/storageRecords.ts'
import { connectMethodsOrder, groupConnectors, withConnector } from './wallets/connectorGroups.ts'
import { createConnectorContext } from './wallets/createConnectorContext.ts'
import { listedChains } from './wallets/listedChains.ts'
import { offeredSocials } from './wallets/offeredSocials.ts'
import { walletsToList } from './wallets/walletsToList.ts'

/** Maximum number of events queued before the user's first click. The oldest is dropped when it is exceeded. */
const maxWaiting = 20

/** The dependencies that the initial bundle passes to the runtime. */
export interface RuntimeDependencies {
  readonly options: LatchkeyOptions
  readonly store: Store<State> & { readonly initial: State }
  readonly log: Log
  readonly events: Events<HostEvents>
  readonly clock: Clock
  account(namespace?: Namespace): AccountView
}

/** The runtime. Loaded on `start()`, so that it does not delay the first render. */
export interface LatchkeyRuntime
  extends Omit<
    Latchkey,
    'options' | 'state' | 'start' | 'on' | 'log' | 'account' | 'network' | 'supports' | 'setTheme' | 'storage' | 'modal'
  > {
  readonly records: StorageRecords
  readonly modal: Modal
  report(text: string, cause: unknown): void
  stop(): void
}

/** Creates the runtime. It reads storage, discovers wallets and restores the last session; `stop()` reverts all of it. */
export function createLatchkeyRuntime(deps: RuntimeDependencies): LatchkeyRuntime {
  const { options, store, log, events, clock } = deps
  const { adapters = [], wallets: bridges = [], debug = false, signIn = 'off' } = options
  const fetcher: typeof fetch = (...params) => (options.fetch ?? fetch)(...params)
  const namespaces = [...new Set(adapters.map(({ namespace }) => namespace))]
  const stored = options.storage ?? pageStorage()
  const connectors = new Map<string, Connector>()
  const discovery = new AbortController()
  let stopped = false
  let polling: (() => void) | undefined
  let unsettle = (): void => {}
  let lastShown: { for: State['wallets']; list: readonly ConnectorGroup[] } | undefined

  const records = createRecords({ storage: () => stored, log, id: options.id })
  const mobile = () => (options.platform ? options.platform === 'mobile' : isMobile())
  const server =
    options.server && options.projectId
      ? { url: options.server, projectId: options.projectId, alternative: options.serverAlternative }
      : undefined
  /** Whether the connect view links to all wallets on mobile. */
  const listsAll = server !== undefined && options.features?.allWallets !== false

  // Loaded on first use.
  let analytics: Analytics | undefined
  let announcing: ReturnType<typeof announceWallets> | undefined
  /** Events and their times in milliseconds. */
  let waiting: (readonly [AnalyticsEvent, number])[] = []
  let clicked = false
  const track = (event: AnalyticsEvent) => {
    if (!server || options.features?.analytics === false || stopped) return
    if (analytics) return analytics.track(event)
    waiting = [...waiting, [event, clock.now()] as const].slice(-maxWaiting)
    if (event.event !== 'MODAL_OPEN' || clicked) return
    // Nothing is sent before the user's first click.
    clicked = true
    import('./analytics/analyticsClient.ts').then(({ createAnalytics }) => {
      if (stopped) return
      analytics = createAnalytics({
        ...server,
        analyticsUrl: options.analyticsUrl,
        fetch: fetcher,
        clock,
        address: () => deps.account().address,
        network: () => store.get().networks.active,
        refused: () => invalidApp('The analytics service rejected this origin (403).'),
      })
      for (const each of waiting) analytics.track(...each)
      waiting = []
    }, failedToLoad('analytics'))
  }
  let alerted = false
  const invalidApp = (detail: string) => {
    if (alerted) return
    alerted = true
    notices.alert({ code: 'app/origin-not-allowed', text: 'Invalid App Configuration' }, detail)
  }

  // The parts, lower layers first.
  const networks = createNetworks({ state: slice(store, 'networks'), adapters, records })
  const wallets = slice(store, 'wallets')
  const retries = createRetries(clock)
  const connections: Connections = createConnections({
    state: slice(store, 'connections'),
    namespaces,
    networks,
    accountTypes: () => Object.fromEntries(namespaces.map((each) => [each, bridged.accountType(each)])),
    active: () => store.get().networks.namespace,
    records,
    events,
    clock,
    retries,
    log,
    reconnect: options.reconnect !== false,
    multiWallet: options.multiWallet === true,
    track,
    used: remember,
    sent: () => afterSending(),
  })
  const notices = createNotifications({ toast: slice(store, 'toast'), alert: slice(store, 'alert'), clock, log, debug })
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

  const bridged = createConnectorContext({
    options,
    fetch: fetcher,
    modal,
    state: store,
    clock,
    log,
    records,
    signInOnLogin: async (chain) => (signsIn ? (await signingIn.get()).onLogin(chain) : undefined),
    network(namespace = store.get().networks.namespace) {
      const { active } = store.get().networks
      const first = namespace && networks.first(namespace)
      const chain = active && (!namespace || namespaceOf(active) === namespace) ? active : first
      return chain && networks.find(chain)
    },
    waiting(params) {
      if (records.deepLink.get()) pairing.get().then((made) => made.remind(params), failedToLoad('pairing'))
    },
    socials(offered) {
      // Do not change the connect view while it is displayed. It shows the new list the next time it opens.
      const settle = () => {
        if (wallets.get().socials !== 'loading' && showsSocials()) return
        unsettle()
        wallets.set({ ...wallets.get(), socials: offered })
      }
      unsettle()
      unsettle = store.subscribe(settle)
      settle()
    },
    report(what, error) {
      const { code, message } = error
      if (code === 'app/origin-not-allowed') return invalidApp(`${what}: ${message}`)
      if (code === 'frame/not-allowed') {
        log.error(`${what}: ${message}`, error.details)
        // A page that probes which methods the wallet supports must not open the modal.
        if (store.get().modal.open) notices.toast('error', 'Action not allowed')
        return
      }
      notices.alert({ code, text: message }, `${what}: ${message}`)
      analytics?.report(what, error)
    },
  })

  const showsSocials = (): boolean => {
    const { open, stack } = store.get().modal
    return (open || options.embedded === true) && /^Connect(Socials)?$/.test(stack.at(-1)?.view ?? '')
  }
  /** Requests the server's social logins when the connect view opens, not earlier. If there is no response, all are assumed to be available. */
  const askSocials = (): void => {
    if (!showsSocials()) return
    stopAsking()
    const giveUp = () => {
      if (wallets.get().socials === 'loading') wallets.set({ ...wallets.get(), socials: undefined })
    }
    const cancel = clock.after(socialsAnswerMs, giveUp)
    directory
      .get()
      .then(({ socials }) => socials())
      .then((offered) => {
        // A list reported by the frame takes precedence.
        const isOpen = typeof wallets.get().socials !== 'object'
        if (offered && isOpen && !stopped) bridged.socials(offered)
      })
      .catch(failedToLoad('wallets'))
      .finally(() => {
        cancel()
        giveUp()
      })
  }
  let stopAsking = (): void => {}

  // Loaded on first use.
  const directory = once(async () => {
    const { createDirectory } = await import('./wallets/directoryClient.ts')
    const { includeWalletIds, excludeWalletIds, featuredWalletIds, customWallets } = options
    const { url = '', projectId = '', alternative } = server ?? {}
    return createDirectory({
      url,
      projectId,
      alternative,
      fetch: fetcher,
      clock,
      log,
      mobile,
      chains: listedChains(store.get().networks.known),
      include: includeWalletIds,
      exclude: excludeWalletIds,
      featured: featuredWalletIds,
      hostImages: customWallets?.flatMap(({ image_url }) => image_url ?? []),
      excluded: (excluded) => wallets.set({ ...wallets.get(), excluded }),
      searched: (search, badge) => track({ event: 'SEARCH_WALLET', properties: { search, ...(badge && { badge }) } }),
      refused: invalidApp,
    })
  })
  const readings = once(async () =>
    (await import('./account/accountQueries.ts')).createAccountQueries({
      state: slice(store, 'account'),
      adapters,
      ...(options.fetch && { fetch: fetcher }),
      storage: () => stored,
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
  const loginConnector = bridges.find(({ wallet }) => wallet)
  const login = once(async () =>
    (await import('./modal/modalLogin.ts')).createModalLogin({
      wallet: loginConnector?.wallet as Required<MultichainConnector>['wallet'], // Only called if it is defined.
      records,
      clock,
      log,
      state: store,
      modal,
      track,
      toast: notices.toast,
      connect: ({ namespace, beside }) => connectBy(loginConnector, { namespace, beside }),
      namespaces: () => authNamespaces.filter((namespace) => connectors.has(`${namespace}:${loginConnector?.id}`)),
    }),
  )
  const pairingConnector = bridges.find(({ pairing: offers }) => offers)
  const pairing = once(async () =>
    (await import('./pairing/createPairing.ts')).createPairing({
      pairing: pairingConnector?.pairing as Required<MultichainConnector>['pairing'], // Only called if it is defined.
      records,
      clock,
      log,
      state: store,
      manual: options.manualWalletConnect === true,
      universalLinks: options.universalLinks !== false,
      signIn: signsIn && namespaces.every((each) => each === 'eip155') ? await keeper.get() : undefined,
      mobile,
      connect: (params) => connectBy(pairingConnector, params),
      used: rememberWallet,
      track,
      toast: notices.toast,
      hideToast: notices.hideToast,
    }),
  )
  const signsIn = signIn !== 'off' && (options.authentication ?? server) !== undefined
  const keeper = once(
    async () =>
      options.authentication ??
      (await import('./signIn/authentication/serverSignIn.ts')).serverSignIn({
        url: '',
        projectId: '',
        ...server,
        clock,
        fetch: fetcher,
      }),
  )
  let before = deps.account()
  let cancelSigningIn = (): void => {}
  const signingIn = once(async () =>
    (await import('./modal/modalSignIn.ts')).createModalSignIn({
      keeper: await keeper.get(),
      before,
      latchkey: { state: store, account: deps.account, options, supports: networks.supports },
      engine,
      modal,
      accountType: bridged.accountType,
      own: slice(store, 'signIn'),
      events,
      clock,
      retries,
      log,
    }),
  )

  const engine: LatchkeyRuntime = {
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
    listed(directory) {
      const { networks: active, wallets: found } = store.get()
      const { customWallets = [], featuredWalletIds = [] } = options
      return walletsToList({
        shown: shown(),
        pairs: found.connectors.some(({ type }) => type === 'WALLET_CONNECT'),
        recent: found.recent,
        custom: customWallets,
        excluded: found.excluded,
        namespace: found.filter ?? active.namespace,
        choosesFeatured: featuredWalletIds.length > 0,
        directory,
      })
    },
    connectMethods() {
      const embedded = [...connectors.values()].some(
        ({ type, namespace }) => type === 'AUTH' && (namespace === 'eip155' || namespace === 'solana'),
      )
      const { email = true } = options.features ?? {}
      return connectMethodsOrder({
        shown: shown(),
        configured: options.connectMethodsOrder,
        works: {
          wallet: true,
          email: embedded && email,
          social: embedded && offeredSocials(options, wallets.get()).length > 0,
        },
      })
    },

    async connect({ connectorId, namespace, chain, signal }) {
      const connector = find(connectorId, namespace ?? (chain && namespaceOf(chain)))
      if (!connector) throw new LatchkeyError('wallet/not-found', { connectorId })
      // A single pairing covers all families: every namespace that the wallet approves is connected, not only the requested one.
      const paired = connector.type === 'WALLET_CONNECT' ? await engine.pairing() : undefined
      if (paired) return paired.connect({ namespace: connector.namespace, chain, signal })
      return connections.connect({ connector, chain, signal })
    },
    async disconnect(params) {
      // During an outage the session does not exist yet and cannot be ended. Remove the stored login anyway.
      const isForgotten = ({ id, type, namespace }: Connector): boolean => {
        const now = store.get().connections.byNamespace[namespace]
        if (type !== 'AUTH' || now?.status !== 'reconnecting' || now.connectorId !== id) return false
        return (params?.namespace ?? namespace) === namespace && (params?.connectorId ?? id) === id
      }
      if ([...connectors.values()].some(isForgotten)) forgetLogin()
      try {
        await connections.disconnect(params)
      } finally {
        if (![...connectors.values()].some(isPairedNow)) records.deepLink.clear()
        filter(undefined)
      }
    },
    activate: connections.activate,
    async switchNetwork(chain) {
      const network = networks.supports(chain) ? networks.find(chain) : undefined
      if (!network) {
        const detail = `${chain} is not a network of this app's adapters.`
        notices.alert({ code: 'network/not-found', text: 'Network Not Found' }, detail)
        throw new LatchkeyError('network/not-found', { chain })
      }
      await connections.switchNetwork(network)
    },
    async addNetwork(network) {
      networks.add(network)
    },
    async removeNetwork(chain) {
      networks.remove(chain)
      const { active, namespace } = store.get().networks
      // A connected user stays on the network until they switch; new users start on another network.
      const next = active === chain && namespace && !connections.session(namespace) && networks.listed(namespace)
      if (next) networks.activate(next)
    },
    pickWallet(picked) {
      const { namespace } = store.get().networks
      const next = resolveRoute(picked, {
        shown: shown(),
        pairs: pairingConnector !== undefined,
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
    async checkHealth(namespace = store.get().networks.namespace) {
      if (!namespace) return
      connections.retry(namespace)
      await engine.session(namespace)?.ping()
    },
    async refresh(params) {
      if (stopped || !deps.account().account) return
      polling ??= clock.after(pollMs, poll)
      await (await readings.get()).refresh(params)
    },

    directory: async () => (server && !stopped ? directory.get() : undefined),
    login: async () => (loginConnector && !stopped ? login.get() : undefined),
    pairing: async () => (pairingConnector && !stopped ? pairing.get() : undefined),
    signIn: async () => (signsIn && !stopped ? signingIn.get() : undefined),
    stop() {
      stopped = true
      polling?.()
      discovery.abort()
      cancelSigningIn()
      announcing?.stop()
      unfollow()
      unwatch()
      unsettle()
      stopAsking()
      for (const detach of detaches) detach()
      for (const part of [login, pairing, signingIn, directory, readings]) part.stop()
      connections.stop()
      modal.stop()
      notices.stop()
      analytics?.stop()
    },
  }

  if (options.server && !options.projectId) {
    const detail = 'A server is configured without a projectId: wallet directory, analytics and chain data are off.'
    notices.alert({ code: 'app/no-project', text: 'Project ID Not Configured' }, detail)
  }
  records.adopt()
  networks.restore()
  const asksSocials = loginConnector && server && options.features?.socials !== false
  wallets.set({
    ...wallets.get(),
    recent: records.recentWallets.get() ?? [],
    ...(asksSocials && { socials: 'loading' }),
  })
  store.set({ ...store.get(), ready: true })
  connections.restore()
  const unfollow = followConnections({
    latchkey: { state: store, account: deps.account, supports: networks.supports, options },
    modal,
    signsIn,
    filter,
  })
  const unwatch = watch()
  if (asksSocials) {
    stopAsking = store.subscribe(askSocials)
    askSocials()
  }
  if (signsIn) openSigningIn()
  else if (signIn !== 'off') log.error('signIn needs a server or an authentication adapter. Sign-in is off.')
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
    // An error in one family must not affect the others.
    try {
      for (const bridge of bridges) {
        const connector = bridge.connectorFor(adapter)
        if (connector) add(connector)
      }
      adapter.discover(add, discovery.signal, (provider) => announcing?.isOwn(provider) ?? false)
    } catch (error) {
      log.error(`Unable to discover ${adapter.namespace} wallets`, error)
    }
  }
  if (bridges.some(({ announcer }) => announcer)) {
    import('./login/announceEmbeddedWallet.ts').then(({ announceWallets }) => {
      if (stopped) return
      announcing = announceWallets({
        bridges,
        state: store,
        modal,
        log,
        has: (namespace, id) => connectors.has(`${namespace}:${id}`),
        network: bridged.network,
        session: connections.session,
        disconnect: (connectorId) => engine.disconnect({ connectorId }),
      })
    }, failedToLoad('wallet announcements'))
  }
  if (records.leavingSocial.get() !== undefined) {
    login.get().then((made) => made.resumeRedirect(), failedToLoad('login'))
  }
  return engine

  /** Loads sign-in. A load failure is treated as an outage of the page's server: the user is neither signed in nor disconnected, and it is retried. */
  function openSigningIn(failures = 0): void {
    if (failures === 0) before = deps.account()
    signingIn.get().catch((error: unknown) => {
      failedToLoad('sign-in')(error)
      if (stopped) return
      const own = slice(store, 'signIn')
      own.set({ ...own.get(), status: 'unknown', error: toLatchkeyError(error) })
      cancelSigningIn = retries.schedule({ failures: failures + 1 }, () => openSigningIn(failures + 1))
      if (failures === 0) notices.toast('error', errorText(error))
    })
  }

  /** Updates the account data and the cookie when the account changes. */
  function watch(): () => void {
    let last = ''
    const look = () => {
      const { account, chain, status } = deps.account()
      const now = `${status}|${account}|${chain}`
      if (now === last) return
      last = now
      // While a stored account is being restored, read nothing and clear nothing.
      if (status === 'reconnecting' || status === 'connecting') return
      if (options.cookie && typeof document !== 'undefined') {
        const state: InitialState | undefined = account &&
          chain && { namespace: namespaceOf(chain), address: addressOf(account), chain }
        // biome-ignore lint/suspicious/noDocumentCookie: not all browsers support the Cookie Store API.
        document.cookie = stateCookie(state, { id: options.id, secure: location.protocol === 'https:' })
      }
      if (account) readings.get().then((now) => now.refresh(), failedToLoad('account'))
      else slice(store, 'account').set(store.initial.account)
    }
    look()
    return store.subscribe(look)
  }

  /** Polls the balance while an account is connected and the page is visible. */
  function poll(): void {
    polling = stopped || !deps.account().account ? undefined : clock.after(pollMs, poll)
    if (!polling || globalThis.document?.visibilityState === 'hidden') return
    const { open, stack } = store.get().modal
    const everyMs = open && stack.at(-1)?.view === 'Account' ? pollMs : idlePollMs
    readings.get().then((now) => now.poll(everyMs), failedToLoad('account'))
  }

  /** Reads the balance again shortly after a transaction, when it is likely to have been included in a block. */
  function afterSending(): void {
    for (const ms of sentReadsMs) {
      clock.after(ms, () => {
        if (!stopped) readings.get().then((now) => now.poll(0), failedToLoad('account'))
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

  /** Connects one namespace through a multichain connector. */
  async function connectBy(
    bridge: MultichainConnector | undefined,
    params: Omit<Parameters<Connections['connect']>[0], 'connector'> & { readonly namespace: Namespace },
  ): Promise<Session> {
    const { namespace, ...how } = params
    const connector = connectors.get(`${namespace}:${bridge?.id}`)
    if (!connector) throw new LatchkeyError('wallet/not-found', { connectorId: bridge?.id ?? '' })
    return connections.connect({ connector, ...how })
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

  function shown(): readonly ConnectorGroup[] {
    const now = wallets.get()
    if (lastShown?.for !== now)
      lastShown = { for: now, list: groupConnectors({ ...now, mobile: mobile(), directory: listsAll }) }
    return lastShown.list
  }

  function remember(connector: Connector): void {
    const { id, name, rdns, explorerId, imageId } = connector
    records.walletId.set(explorerId ?? id)
    records.walletName.set(name)
    if (!rdns && !explorerId) return
    addRecent({ id: explorerId ?? id, name, ...(rdns && { rdns }), ...(imageId && { image_id: imageId }) })
  }

  function forgetLogin(): void {
    const { emailUsed, email, lastChain, socialUsername, connectedSocial } = records
    for (const record of [emailUsed, email, lastChain, socialUsername, connectedSocial]) record.clear()
  }

  function rememberWallet(wallet: Wallet): void {
    records.walletId.set(wallet.id)
    records.walletName.set(wallet.name)
    addRecent(recentOf(wallet))
  }

  function addRecent(wallet: RecentWallet): void {
    records.addRecent(wallet)
    wallets.set({ ...wallets.get(), recent: records.recentWallets.get() ?? wallets.get().recent })
  }

  function isPairedNow({ id, namespace, type }: Connector): boolean {
    const now = store.get().connections.byNamespace[namespace]
    return type === 'WALLET_CONNECT' && now?.status === 'connected' && now.connectorId === id
  }

  function situation(): RouterContext {
    return {
      connected: deps.account().account !== undefined,
      adapters: adapters.length,
      mobile: mobile(),
      manual: options.manualWalletConnect === true,
      signIn: signIn === 'off' ? signIn : isSignInRequired(options) ? 'required' : 'optional',
      signedIn: store.get().signIn.status === 'signed-in',
    }
  }

  function failedToLoad(what: string): (error: unknown) => void {
    return (error) => log.error(`Unable to load ${what}`, toLatchkeyError(error))
  }
}

function isConnected(now: ConnectionState | undefined): boolean {
  return now?.status === 'connected'
}

/** Returns the page's localStorage. Accessing the property can throw if storage is blocked. */
function pageStorage(): KeyValueStorage | undefined {
  try {
    return typeof window === 'undefined' ? undefined : window.localStorage
  } catch {
    return undefined
  }
}
