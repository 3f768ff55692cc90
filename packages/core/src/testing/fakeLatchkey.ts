import { type AccountId, addressOf, type ChainId } from '@latchkey/protocol/caip'
import { catalogue } from '@latchkey/protocol/errors/errorMessages'
import type { Wallet } from '@latchkey/protocol/http/apiRoutes'
import { type ErrorCode, type ErrorDetails, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Connector, Eip1193Provider, Session } from '../adapter.ts'
import type { ConnectionState, Latchkey, State } from '../latchkeyTypes.ts'
import { createStore, type Store } from '../lib/store.ts'
import type { Login, LoginState } from '../login/loginTypes.ts'
import { back, push, replace } from '../modal/router.ts'
import { type Route, route, type Stack, type ViewName } from '../modal/views.ts'
import type { ConnectMethod, LatchkeyOptions } from '../options.ts'
import type { Pairing } from '../pairing/pairingTypes.ts'
import type { SignIn } from '../signIn/signInTypes.ts'
import { createRecords } from '../storage/storageSchema.ts'
import { mergeByName } from '../wallets/connectorGroups.ts'
import type { Directory, DirectoryState } from '../wallets/directoryTypes.ts'
import { walletsToList } from '../wallets/walletsToList.ts'
import { memoryStorage } from './memoryStorage.ts'

const quietLog = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Latchkey['log']

/** The configuration of a fake Latchkey instance. */
export interface FakeSetup {
  /** The options of the instance. Defaults to none. */
  readonly options?: LatchkeyOptions
  /** Changes the default state. */
  readonly state?: (quiet: State) => State
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
  /** The pairing, for example from `fakePairing`. Defaults to none. */
  readonly pairing?: Pairing
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

/** A Latchkey instance with controllable state, for views, galleries and host tests. It never uses a wallet or a network. */
export interface FakeLatchkey extends Latchkey {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<State> & { readonly initial: State }
  /** The calls in order, such as `['connect', {…}]`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
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
  const initialState = quietState(options)
  const state = createStore(setup.state ? setup.state(initialState) : initialState)
  const stored = memoryStorage(setup.stored)
  const records = createRecords({ storage: () => stored, log: quietLog })
  const calls: (readonly [string, ...unknown[]])[] = []
  const note = (...call: readonly [string, ...unknown[]]) => void calls.push(call)
  const patch = (change: Partial<State>) => state.set({ ...state.get(), ...change })
  const turn = (stack: Stack) => patch({ modal: { ...state.get().modal, open: true, stack } })
  const own = (namespace = state.get().networks.namespace) =>
    namespace && state.get().connections.byNamespace[namespace]
  const network = (chain: ChainId) => state.get().networks.known.find((one) => one.caipNetworkId === chain)
  const go = (name: string, change: (stack: Stack, next: Route) => Stack) => (view: ViewName, data?: unknown) => {
    note(name, view, data)
    turn(change(state.get().modal.stack, { view, data } as Route))
  }

  return {
    options,
    state,
    calls,
    storage: async () => records,
    log: quietLog,
    start: () => () => undefined,
    prepare: async () => undefined,
    on: () => () => undefined,
    account: (namespace) => viewOf(own(namespace)),
    session: (namespace) => {
      const now = own(namespace)
      if (now?.status !== 'connected') return undefined
      const can = setup.canSwitch === false ? {} : { switchChain: async () => undefined }
      return {
        accounts: now.accounts,
        chain: now.chain,
        can,
        provider: setup.request && { request: setup.request },
        on: () => () => undefined,
      } as unknown as Session
    },
    connector: (id) => state.get().wallets.connectors.find((one) => one.id === id) as Connector | undefined,
    shown() {
      const { connectors, filter } = state.get().wallets
      // As in the runtime, WalletConnect is not listed on a phone if there is a wallet directory.
      const lists = options.platform === 'mobile' && options.server !== undefined
      return mergeByName(
        connectors.filter(
          ({ namespace, type }) => (!filter || namespace === filter) && !(lists && type === 'WALLET_CONNECT'),
        ),
      )
    },
    listed(directory) {
      const { recent, excluded, connectors } = state.get().wallets
      const { customWallets: custom = [], featuredWalletIds = [] } = options
      return walletsToList({
        shown: this.shown(),
        pairs: connectors.some(({ type }) => type === 'WALLET_CONNECT'),
        recent,
        custom,
        excluded,
        namespace: state.get().networks.namespace,
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
    pickNetwork(chain) {
      note('pickNetwork', chain)
      turn(push(state.get().modal.stack, route('SwitchNetwork', { network: chain })))
    },
    pickWallet: (picked) => note('pickWallet', picked),
    pairing: async () => setup.pairing,
    signIn: async () => setup.signIn,
    network,
    supports: (chain) => state.get().networks.known.length === 0 || network(chain) !== undefined,
    async checkHealth(namespace) {
      note('checkHealth', namespace)
      await setup.checkHealth?.(namespace)
    },
    async refresh(params) {
      note('refresh', params)
      await setup.refresh?.(params)
    },
    modal: {
      open(params) {
        note('open', params)
        turn([params?.view ?? route('Connect')])
      },
      close(params) {
        note('close', params)
        patch({ modal: { ...state.get().modal, open: false } })
        return true
      },
      push: go('push', push),
      replace: go('replace', replace),
      reset: go('reset', (_, next) => [next]),
      back() {
        note('back')
        turn(back(state.get().modal.stack) ?? [route('Connect')])
      },
    },
    directory: async () => setup.directory,
    login: async () => setup.login,
    toast(kind, text) {
      note('toast', kind, text)
      patch({ toast: { id: calls.length, kind, text } })
    },
    hideToast: () => patch({ toast: undefined }),
    alert: (alert) => patch({ alert }),
    hideAlert: () => patch({ alert: undefined }),
    track: (event) => note('track', event),
    setTheme: ({ mode, variables }) =>
      patch({ theme: { mode: mode ?? state.get().theme.mode, variables: variables ?? {} } }),
  }
}

/** A login that returns the given state and records its calls. */
export interface FakeLogin extends Login {
  /** The state, which tests can change with `set()`. */
  readonly state: Store<LoginState>
  /** The calls in order, such as `['submitEmail', 'ana@example.org']`. */
  readonly calls: readonly (readonly [name: string, ...args: unknown[]])[]
}

/**
 * Creates a login that uses no frame, for views and galleries. `deeds` override actions, which otherwise succeed immediately.
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
  /** The error with which every request fails. */
  readonly fails?: LatchkeyError
  /** Whether requests never receive a response. */
  readonly silent?: boolean
  /** The error with which all pages after the first page fail. */
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
    async prefetch() {
      state.set({ ...state.get(), featured: answer([]), recommended: answer(wallets.slice(0, 4)) })
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

function quietState(options: LatchkeyOptions): State {
  return {
    started: true,
    ready: true,
    networks: { known: [], active: undefined, namespace: undefined },
    connections: { byNamespace: {}, others: [] },
    wallets: { connectors: [], filter: undefined, recent: [], excluded: [] },
    account: { balance: { status: 'idle' }, identity: { status: 'idle' } },
    signIn: { status: 'unknown', account: undefined, session: undefined, error: undefined },
    modal: { open: true, stack: [route('Connect')], loading: false, loadingBy: {}, shaking: false },
    toast: undefined,
    alert: undefined,
    theme: { mode: options.themeMode ?? 'system', variables: options.themeVariables ?? {} },
  }
}

function viewOf(now: ConnectionState | undefined): ReturnType<Latchkey['account']> {
  const held = now?.status === 'connected' || now?.status === 'reconnecting' ? now : undefined
  const account = held?.accounts[0]
  return {
    status: now?.status ?? 'disconnected',
    account,
    address: account && addressOf(account),
    chain: held?.chain,
    accounts: held?.accounts ?? [],
    connectorId: now && now.status !== 'disconnected' ? now.connectorId : undefined,
    health: now?.status === 'connected' ? now.health : 'ok',
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
  return new Failure(code, details, { sentence: catalogue[code] })
}
