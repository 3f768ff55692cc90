import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import { type Clock, systemClock } from '@latchkey/protocol/clock'
import { accountErrorMessages } from '@latchkey/protocol/errors/accountErrorMessages'
import { catalogue } from '@latchkey/protocol/errors/errorMessages'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { type ErrorCode, type ErrorDetails, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AccountNames } from '../account/accountNamesTypes.ts'
import type { Portfolio } from '../account/portfolioTypes.ts'
import type { Send } from '../account/send/sendTypes.ts'
import type { Transactions } from '../account/transactionTypes.ts'
import type { Connector, Eip1193Provider, Session } from '../adapter.ts'
import { accountView, initialTree } from '../createLatchkey.ts'
import type { ConnectorGroup, HostEvents, Latchkey, State } from '../latchkeyTypes.ts'
import { createEvents } from '../lib/createEvents.ts'
import { createLog, type Log } from '../lib/log.ts'
import { createStore, type Store, slice } from '../lib/store.ts'
import type { Login, LoginState } from '../login/loginTypes.ts'
import { createModal, type Modal } from '../modal/modal.ts'
import { networkRoute } from '../modal/networkRoute.ts'
import { stepAfterWalletChoice } from '../modal/stepAfterWalletChoice.ts'
import type { ViewName } from '../modal/views.ts'
import { findNetwork, supportsNetwork } from '../networks/findNetwork.ts'
import type { Onramp } from '../onramp/onrampTypes.ts'
import type { ConnectMethod, LatchkeyOptions } from '../options.ts'
import type { Pairing } from '../pairing/pairingTypes.ts'
import { routerContextOf } from '../runtime/startupModules.ts'
import type { SignIn } from '../signIn/signInTypes.ts'
import { createRecords } from '../storage/storageSchema.ts'
import type { Swap } from '../swap/swapTypes.ts'
import { groupConnectors } from '../wallets/connectorGroups.ts'
import type { Directory, DirectoryState } from '../wallets/directoryTypes.ts'
import { walletsToList } from '../wallets/walletsToList.ts'
import { memoryStorage } from './memoryStorage.ts'

/** The configuration of a fake Latchkey instance. */
export interface FakeSetup {
  /** The options of the instance. Defaults to none. */
  readonly options?: LatchkeyOptions
  /** Changes the default state. */
  readonly state?: (initialState: State) => State
  /** Replaces `connect()`, which succeeds immediately by default. */
  readonly connect?: Latchkey['connect']
  /** Called by `disconnect()`, for example to make it reject. By default, `disconnect()` succeeds immediately. */
  readonly disconnect?: Latchkey['disconnect']
  /** Called by `switchNetwork()`, for example to make it reject. By default, `switchNetwork()` succeeds immediately. */
  readonly switchNetwork?: Latchkey['switchNetwork']
  /** Called by `checkHealth()`, for example to make it reject. By default, `checkHealth()` succeeds immediately. */
  readonly checkHealth?: Latchkey['checkHealth']
  /** Called by `refresh()`, for example to make it reject. By default, `refresh()` succeeds immediately. */
  readonly refresh?: Latchkey['refresh']
  /** The directory, for example from `fakeDirectory`. Defaults to none. */
  readonly directory?: Directory
  /** The login, for example from `fakeLogin`. Defaults to none. */
  readonly login?: Login
  /** The server's account names, for example from `fakeAccountNames`. Defaults to none. */
  readonly names?: AccountNames
  /** The pairing, for example from `fakePairing`. Defaults to none. */
  readonly pairing?: Pairing
  /** The tokens of the active account. Defaults to none. */
  readonly portfolio?: Portfolio
  /** Buying crypto, for example from `fakeOnramp`. Defaults to none. */
  readonly onramp?: Onramp
  /** The form for sending tokens, for example from `fakeSend`. Defaults to none. */
  readonly send?: Send
  /** Swaps, for example from `fakeSwap`. Defaults to none. */
  readonly swap?: Swap
  /** The history of the active account. Defaults to none. */
  readonly transactions?: Transactions
  /** The sign-in, for example from `fakeSignIn`. Defaults to none. */
  readonly signIn?: SignIn
  /** The available connect methods. Defaults to `['wallet']`. */
  readonly connectMethods?: readonly ConnectMethod[]
  /** The values stored by an earlier visit, keyed by the full storage key. */
  readonly stored?: Readonly<Record<string, string>>
  /** Whether the connected wallet can switch networks. Defaults to `true`. */
  readonly canSwitch?: boolean
  /** The `request` function of the connected wallet's EIP-1193 provider. Defaults to none. */
  readonly request?: Eip1193Provider['request']
}

/**
 * A Latchkey instance with controllable state, for testing views and host apps, and for component galleries. It never uses a
 * wallet or sends network requests.
 *
 * The modal, the theme and the wallet lists behave as in a real instance. Requests to a wallet or server, such as `connect()` and
 * `switchNetwork()`, and changes to the list of networks are only recorded. Change the state and call `emit()` to simulate their
 * outcome.
 */
export interface FakeLatchkey extends Latchkey {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<State> & { readonly initial: State }
  /** The calls in order, such as `['connect', {…}]`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
  /** Emits an event to the listeners that were added with `on()`. */
  emit<Event extends keyof HostEvents>(event: Event, value: HostEvents[Event]): void
}

/**
 * Creates a fake Latchkey instance. See `FakeLatchkey`.
 *
 * @example
 * const latchkey = fakeLatchkey({ state: (state) => withAccount(state, 'eip155:1:0x…', 'io.metamask') })
 * render(<LatchkeyProvider latchkey={latchkey}>…</LatchkeyProvider>)
 */
export function fakeLatchkey(setup: FakeSetup = {}): FakeLatchkey {
  const { options = {} } = setup
  const { adapters = [], clock = systemClock } = options
  const isMobile = options.platform === 'mobile'
  const listsAllWallets = options.server !== undefined && options.features?.allWallets !== false
  const initialState: State = { ...initialTree(options), started: true, ready: true }
  const state = createStore(setup.state ? setup.state(initialState) : initialState)
  const log = createLog({ now: clock.now, level: 'silent' })
  const events = createEvents<HostEvents>((error) => log.error('A listener failed.', error))
  const stored = memoryStorage(setup.stored)
  const records = createRecords({ storage: () => stored, log })
  const calls: (readonly [string, ...unknown[]])[] = []
  const note = (...call: readonly [string, ...unknown[]]) => void calls.push(call)
  const patch = (change: Partial<State>) => state.set({ ...state.get(), ...change })
  const own = (namespace = state.get().networks.namespace) =>
    namespace && state.get().connections.byNamespace[namespace]
  const account: Latchkey['account'] = (namespace) => accountView(own(namespace) ?? { status: 'disconnected' })
  // Tests can set networks in the state without an adapter. If there are neither networks nor adapters, any chain is supported.
  const isKnown = (chain: ChainId) => {
    const { known } = state.get().networks
    return known.some((one) => one.caipNetworkId === chain) || (known.length === 0 && adapters.length === 0)
  }
  const pairs = () => state.get().wallets.connectors.some(({ type }) => type === 'WALLET_CONNECT')
  let lastShown: { readonly wallets: State['wallets']; readonly rows: readonly ConnectorGroup[] } | undefined
  const shown = () => {
    const { wallets } = state.get()
    if (lastShown?.wallets !== wallets)
      lastShown = { wallets, rows: groupConnectors({ ...wallets, mobile: isMobile, directory: listsAllWallets }) }
    return lastShown.rows
  }
  const modal = modalOf({ options, state, clock, log, account, isMobile, patch })

  return {
    options,
    state,
    calls,
    emit: events.emit,
    storage: async () => records,
    log,
    start: () => () => undefined,
    prepare: async () => undefined,
    on: events.on,
    account,
    session: (namespace) => sessionOf(own(namespace), setup),
    connector: (id, namespace) => preferredConnector(state.get(), id, namespace),
    shown,
    listed(directory) {
      const { wallets, networks } = state.get()
      const { customWallets: custom = [], featuredWalletIds = [] } = options
      return walletsToList({
        shown: shown(),
        pairs: pairs(),
        recent: wallets.recent,
        custom,
        excluded: wallets.excluded,
        namespace: wallets.filter ?? networks.namespace,
        choosesFeatured: featuredWalletIds.length > 0,
        directory,
      })
    },
    connectMethods: () => setup.connectMethods ?? ['wallet'],
    async connect(params) {
      note('connect', params)
      return setup.connect ? setup.connect(params) : ({} as Session)
    },
    async disconnect(params) {
      note('disconnect', params)
      await setup.disconnect?.(params)
    },
    activate: (params) => note('activate', params),
    async switchNetwork(chain) {
      note('switchNetwork', chain)
      await setup.switchNetwork?.(chain)
    },
    async addNetwork(added) {
      note('addNetwork', added)
    },
    async removeNetwork(chain) {
      note('removeNetwork', chain)
    },
    pickNetwork(target) {
      note('pickNetwork', target)
      const { networks, wallets } = state.get()
      const { connectorId } = account()
      const next = networkRoute({
        active: networks.active,
        target,
        connected: (namespace) => own(namespace)?.status === 'connected',
        embeddedWallet: wallets.connectors.some(({ id, type }) => type === 'AUTH' && id === connectorId),
      })
      if (next) modal.show(next)
    },
    pickWallet(picked) {
      note('pickWallet', picked)
      const next = stepAfterWalletChoice(picked, {
        shown: shown(),
        pairs: pairs(),
        directory: listsAllWallets,
        mobile: isMobile,
        namespace: state.get().networks.namespace,
        // Without a page, no link to a wallet's in-app browser is opened.
        page: undefined,
      })
      if ('view' in next) modal.show(next.view)
    },
    names: async () => setup.names,
    pairing: async () => setup.pairing,
    portfolio: async () => setup.portfolio,
    onramp: async () => setup.onramp,
    send: async () => setup.send,
    swap: async () => setup.swap,
    transactions: async () => setup.transactions,
    activity: { add: (transaction) => note('activity.add', transaction) },
    signIn: async () => setup.signIn,
    network: (chain) =>
      state.get().networks.known.find((one) => one.caipNetworkId === chain) ?? findNetwork(adapters, chain),
    supports: (chain) => isKnown(chain) || supportsNetwork(adapters, chain),
    async checkHealth(namespace) {
      note('checkHealth', namespace)
      await setup.checkHealth?.(namespace)
    },
    async refresh(params) {
      note('refresh', params)
      await setup.refresh?.(params)
    },
    modal: recordingModal(modal, note),
    directory: async () => setup.directory,
    login: async () => setup.login,
    toast(kind, text) {
      note('toast', kind, text)
      patch({ toast: { id: calls.length, kind, text } })
    },
    hideToast: () => patch({ toast: undefined }),
    alert(alert, detail) {
      log.error(detail ?? alert.text)
      if (options.debug && alert.text) patch({ alert })
    },
    hideAlert: () => patch({ alert: undefined }),
    track: (event) => note('track', event),
    setTheme({ mode, variables }) {
      const { theme } = state.get()
      patch({ theme: { mode: mode ?? theme.mode, variables: { ...theme.variables, ...variables } } })
    },
  }
}

/** Creates the modal of a fake instance. */
function modalOf({
  options,
  state,
  clock,
  log,
  account,
  isMobile,
  patch,
}: {
  readonly options: LatchkeyOptions
  readonly state: Store<State>
  readonly clock: Clock
  readonly log: Log
  readonly account: Latchkey['account']
  readonly isMobile: boolean
  patch(change: Partial<State>): void
}): Modal {
  return createModal({
    state: slice(state, 'modal'),
    clock,
    log,
    embedded: options.embedded === true,
    routerContext: () => ({
      ...routerContextOf({ options, state: state.get(), account: account(), isMobile }),
      // A real instance without adapters can only pair with remote wallets. By default, a fake therefore acts as if it had one.
      adapters: options.adapters?.length ?? 1,
    }),
    activateNamespace(namespace) {
      const { networks } = state.get()
      if (networks.namespace === namespace) return
      const first = networks.known.find(({ chainNamespace }) => chainNamespace === namespace)?.caipNetworkId
      patch({ networks: { ...networks, active: account(namespace).chain ?? first, namespace } })
    },
    filter(filter) {
      const { wallets } = state.get()
      if (wallets.filter !== filter) patch({ wallets: { ...wallets, filter } })
    },
    track: () => undefined,
    closed: () => patch({ toast: undefined }),
  })
}

/** Returns the modal's methods, which record their calls. */
function recordingModal(modal: Modal, note: (...call: readonly [string, ...unknown[]]) => void): Latchkey['modal'] {
  const go = (name: 'push' | 'replace' | 'reset') => (view: ViewName, data?: unknown) => {
    note(name, view, data)
    modal[name](view as 'Connect', data as undefined)
  }
  return {
    open(params) {
      note('open', params)
      modal.open(params)
    },
    close(params) {
      note('close', params)
      return modal.close(params)
    },
    push: go('push'),
    replace: go('replace'),
    reset: go('reset'),
    back() {
      note('back')
      modal.back()
    },
  }
}

/** Returns a session if the connection has one. It has only the properties that views use. */
function sessionOf(
  connection: State['connections']['byNamespace'][Namespace],
  { canSwitch, request }: FakeSetup,
): Session | undefined {
  if (connection?.status !== 'connected') return undefined
  return {
    accounts: connection.accounts,
    chain: connection.chain,
    can: canSwitch === false ? {} : { switchChain: async () => undefined },
    provider: request && { request },
    on: () => () => undefined,
  } as unknown as Session
}

/** Returns the connector with the ID, preferring the given namespace or else the active one. */
function preferredConnector(
  { wallets, networks }: State,
  id: string,
  namespace: Namespace | undefined,
): Connector | undefined {
  const found = wallets.connectors.filter((one) => one.id === id)
  const order: readonly (Namespace | undefined)[] = namespace ? [namespace] : [wallets.filter, networks.namespace]
  const preferred = order.flatMap((next) => found.find((one) => one.namespace === next) ?? [])[0]
  return (preferred ?? (namespace ? undefined : found[0])) as Connector | undefined
}

/** A login with a given state that records calls to its actions, except for overridden actions. */
export interface FakeLogin extends Login {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<LoginState>
  /** The calls in order, such as `['submitEmail', 'ana@example.org']`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
}

/**
 * Creates a login that uses no frame, for testing views and for component galleries. `deeds` override actions, which otherwise
 * succeed immediately.
 *
 * @example
 * const latchkey = fakeLatchkey({ login: fakeLogin({ email: 'ana@example.org' }) })
 */
export function fakeLogin(state: Partial<LoginState> = {}, deeds: Partial<Omit<Login, 'state'>> = {}): FakeLogin {
  const calls: (readonly [string, ...unknown[]])[] = []
  const initialState: LoginState = {
    busy: undefined,
    email: undefined,
    error: undefined,
    resendAt: undefined,
    social: undefined,
    farcasterUrl: undefined,
  }
  const store = createStore<LoginState>({ ...initialState, ...state })
  const action =
    <Answered>(name: string, answer: Answered) =>
    (...args: unknown[]) => {
      calls.push([name, ...args])
      return answer
    }
  return {
    state: store,
    calls,
    secondsToWait: () => 0,
    clearError: () => store.set({ ...store.get(), error: undefined }),
    setErrorFormatter: () => {},
    submitEmail: action('submitEmail', Promise.resolve()),
    submitCode: action('submitCode', Promise.resolve()),
    resend: action('resend', Promise.resolve()),
    awaitDevice: action('awaitDevice', () => undefined),
    social: action('social', Promise.resolve()),
    cancelSocial: action('cancelSocial', undefined),
    farcaster: action('farcaster', Promise.resolve()),
    cancelFarcaster: action('cancelFarcaster', undefined),
    passkey: action('passkey', Promise.resolve()),
    walletPage: () => 'https://keys.example.org/wallet',
    isSingle: action('isSingle', Promise.resolve(false)),
    currentEmail: () => store.get().email,
    updateEmail: action('updateEmail', Promise.resolve()),
    submitPrimaryCode: action('submitPrimaryCode', Promise.resolve()),
    submitSecondaryCode: action('submitSecondaryCode', Promise.resolve('new@example.org')),
    setAccountType: (type) => action('setAccountType', Promise.resolve(type))(type),
    smartAccountsHere: () => true,
    ...deeds,
  }
}

/** The behavior of a fake directory. */
export interface FakeDirectory {
  /** All wallets in the directory, in order. The first four are recommended. */
  readonly wallets: readonly Wallet[]
  /** The number of wallets on a page. Defaults to 40. */
  readonly pageSize?: number
  /** The error that all requests for wallet lists fail with. */
  readonly fails?: LatchkeyError
  /** Whether requests never receive a response. */
  readonly silent?: boolean
  /** The error that requests for pages after the first page fail with. */
  readonly failsLater?: LatchkeyError
}

/**
 * Creates a directory that contains the given wallets. Simulates paging, search and failures without a server.
 *
 * @example
 * const latchkey = fakeLatchkey({ directory: fakeDirectory({ wallets: [{ id: '1', name: 'Wallet' }] }) })
 */
export function fakeDirectory(setup: FakeDirectory): Directory {
  const { wallets, pageSize = 40 } = setup
  const state = createStore<DirectoryState>({
    featured: { status: 'idle' },
    recommended: { status: 'idle' },
    pages: { status: 'idle' },
    search: { text: '', result: { status: 'idle' } },
  })
  const answer = <T>(value: T) =>
    setup.silent
      ? ({ status: 'loading' } as const)
      : setup.fails
        ? ({ status: 'failed', error: setup.fails } as const)
        : ({ status: 'ready', value } as const)
  return {
    state,
    async prefetch({ recommended = true } = {}) {
      state.set({
        ...state.get(),
        featured: answer([]),
        ...(recommended && { recommended: answer(wallets.slice(0, 4)) }),
      })
    },
    async nextPage() {
      const { pages } = state.get()
      const before = 'value' in pages ? pages.value : undefined
      if (before && before.wallets.length >= wallets.length) return
      if (before && setup.failsLater) {
        state.set({ ...state.get(), pages: { status: 'failed', error: setup.failsLater, value: before } })
        return
      }
      const page = (before?.page ?? 0) + 1
      state.set({
        ...state.get(),
        pages: answer({ wallets: wallets.slice(0, page * pageSize), count: wallets.length, page }),
      })
    },
    async search(text) {
      const found = wallets.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
      state.set({
        ...state.get(),
        search:
          text.trim() === '' ? { text: '', result: { status: 'idle' } } : { text: text.trim(), result: answer(found) },
      })
    },
    socials: async () => undefined,
    namesZone: async () => undefined,
    image: async () => undefined,
    walletImage: async ({ image_url }) => image_url ?? undefined,
    origins: async () => [],
    stop() {},
  }
}

/**
 * Returns `state` with `account` connected through `connectorId`.
 *
 * @example
 * const latchkey = fakeLatchkey({ state: (state) => withAccount(state, 'eip155:1:0x…', 'io.metamask') })
 */
export function withAccount(
  state: State,
  account: AccountId<'eip155'>,
  connectorId: string,
  more: { health?: 'ok' | 'silent' } = {},
): State {
  const chain = account.slice(0, account.lastIndexOf(':')) as ChainId<'eip155'>
  return {
    ...state,
    networks: { ...state.networks, active: chain, namespace: 'eip155' },
    connections: {
      ...state.connections,
      byNamespace: {
        eip155: { status: 'connected', connectorId, accounts: [account], chain, health: more.health ?? 'ok' },
      },
    },
  }
}

/**
 * Creates an error with `code`, like an error from a wallet or server.
 *
 * @example
 * const latchkey = fakeLatchkey({ connect: async () => { throw fakeFailure('user/rejected', { request: 'connect' }) } })
 */
export function fakeFailure<Code extends ErrorCode>(code: Code, details: ErrorDetails[Code]): LatchkeyError<Code> {
  // The signature guarantees that code and details match.
  const Failure = LatchkeyError as new (code: Code, details: ErrorDetails[Code], more: object) => LatchkeyError<Code>
  return new Failure(code, details, { sentence: { ...catalogue, ...accountErrorMessages }[code] })
}
