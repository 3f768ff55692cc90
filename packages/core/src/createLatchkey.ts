import { accountId, addressOf } from '@latchkey/protocol/caip'
import { systemClock } from '@latchkey/protocol/clock'
import type { ErrorCode } from '@latchkey/protocol/latchkeyError'
import type { LatchkeyRuntime } from './latchkeyRuntime.ts'
import type { ConnectionState, HostEvents, Latchkey, State } from './latchkeyTypes.ts'
import { createEvents } from './lib/createEvents.ts'
import { createLog } from './lib/log.ts'
import { createStore } from './lib/store.ts'
import { route } from './modal/views.ts'
import { findNetwork, initialNetworks, supportsNetwork } from './networks/findNetwork.ts'
import type { LatchkeyOptions } from './options.ts'

/**
 * Creates a wallet connection kit for a page. Creating an instance has no side effects. `start()` loads the runtime. Calls
 * are queued until the runtime is loaded.
 *
 * @example
 * const latchkey = createLatchkey({ adapters: [evm({ chains: [mainnet] })] })
 * const stop = latchkey.start()
 * latchkey.on('connect', ({ account }) => console.log(account))
 * latchkey.modal.open()
 */
export function createLatchkey(options: LatchkeyOptions = {}): Latchkey {
  const { adapters = [], clock = systemClock } = options
  const store = createStore<State>(initialTree(options))
  const log = createLog({
    now: clock.now,
    level: options.logLevel,
    onError: (text, cause) => runtime?.report(text, cause),
  })
  const events = createEvents<HostEvents>((error) => log.error('A listener failed.', error))

  let starts = 0
  let runtime: LatchkeyRuntime | undefined
  let loading = false
  let waiting: { readonly task: (runtime: LatchkeyRuntime) => void; readonly fail?: (cause: unknown) => void }[] = []

  /** Runs `task` once the runtime is loaded. If loading fails, the next call tries again. */
  const act = (task: (runtime: LatchkeyRuntime) => void, fail?: (cause: unknown) => void): void => {
    if (runtime) task(runtime)
    else {
      waiting.push({ task, ...(fail && { fail }) })
      if (starts > 0) load()
    }
  }
  const ask = <Answer>(question: (runtime: LatchkeyRuntime) => Promise<Answer>): Promise<Answer> =>
    runtime
      ? question(runtime)
      : new Promise((resolve, reject) => act((now) => question(now).then(resolve, reject), reject))
  /** Discards all queued calls, and rejects those that return a promise. */
  const giveUp = (cause?: unknown): void => {
    const request = waiting
    waiting = []
    const error = notLoaded(cause)
    for (const { fail } of request) fail?.(error)
  }
  const load = (): void => {
    if (loading || runtime) return
    loading = true
    // For returning users, the runtime also imports this chunk. Start now, so that the two imports run in parallel.
    if (isConnected(options.storage)) import('./runtime/connectionRuntime.ts').catch(() => undefined)
    import('./latchkeyRuntime.ts')
      .then(({ loadLatchkeyRuntime }) =>
        loadLatchkeyRuntime({ options, store, log, events, clock, account, notLoaded }),
      )
      .then((createRuntime) => {
        loading = false
        if (starts === 0) return
        runtime = createRuntime()
        const request = waiting
        waiting = []
        for (const { task } of request) task(runtime)
      })
      .catch((error: unknown) => {
        loading = false
        log.error('Latchkey did not load.', error)
        giveUp(error)
      })
  }
  const account: Latchkey['account'] = (namespace = store.get().networks.namespace) =>
    accountView((namespace && store.get().connections.byNamespace[namespace]) || { status: 'disconnected' })

  return {
    options,
    state: store,
    log,
    on: events.on,
    account,
    start() {
      starts += 1
      if (starts === 1) store.set({ ...store.get(), started: true })
      load()
      let stopped = false
      return () => {
        if (stopped) return
        stopped = true
        starts -= 1
        if (starts > 0) return
        runtime?.stop()
        runtime = undefined
        giveUp()
        store.set(store.initial)
      }
    },
    prepare: () => ask((now) => now.prepare()),
    storage: () => ask((now) => now.storage()),
    session: (namespace) => runtime?.session(namespace),
    connector: (id, namespace) => runtime?.connector(id, namespace),
    shown: () => runtime?.shown() ?? nothing,
    listed: (directory) => runtime?.listed(directory) ?? noneListed,
    connectMethods: () => runtime?.connectMethods() ?? onlyWallets,
    network: (chain) => findNetwork(adapters, chain),
    supports: (chain) => supportsNetwork(adapters, chain),
    connect: (params) => ask((now) => now.connect(params)),
    disconnect: (params) => ask((now) => now.disconnect(params)),
    switchNetwork: (chain) => ask((now) => now.switchNetwork(chain)),
    addNetwork: (network) => ask((now) => now.addNetwork(network)),
    removeNetwork: (chain) => ask((now) => now.removeNetwork(chain)),
    checkHealth: (namespace) => ask((now) => now.checkHealth(namespace)),
    refresh: (params) => ask((now) => now.refresh(params)),
    directory: () => ask((now) => now.directory()),
    login: () => ask((now) => now.login()),
    names: () => ask((now) => now.names()),
    onramp: () => ask((now) => now.onramp()),
    pairing: () => ask((now) => now.pairing()),
    portfolio: () => ask((now) => now.portfolio()),
    send: () => ask((now) => now.send()),
    swap: () => ask((now) => now.swap()),
    transactions: () => ask((now) => now.transactions()),
    activity: { add: (transaction) => act((now) => now.activity.add(transaction)) },
    signIn: () => ask((now) => now.signIn()),
    activate: (params) => act((now) => now.activate(params)),
    pickNetwork: (chain) => act((now) => now.pickNetwork(chain)),
    pickWallet: (picked) => act((now) => now.pickWallet(picked)),
    track: (event) => act((now) => now.track(event)),
    toast: (kind, text) => act((now) => now.toast(kind, text)),
    hideToast: () => act((now) => now.hideToast()),
    alert: (alert, detail) => act((now) => now.alert(alert, detail)),
    hideAlert: () => act((now) => now.hideAlert()),
    modal: {
      open: (params) => act((now) => now.modal.open(params)),
      close: (params) => {
        if (runtime) return runtime.modal.close(params)
        waiting = waiting.filter(({ fail }) => fail)
        return true
      },
      push: (...next) => act((now) => now.modal.push(...next)),
      replace: (...next) => act((now) => now.modal.replace(...next)),
      reset: (...next) => act((now) => now.modal.reset(...next)),
      back: () => act((now) => now.modal.back()),
    },
    setTheme({ mode, variables }) {
      const now = store.get()
      const { theme } = now
      store.set({ ...now, theme: { mode: mode ?? theme.mode, variables: { ...theme.variables, ...variables } } })
    },
  }
}

/**
 * Whether a wallet is connected according to storage. Only used to start an import early, so the records of instances with an ID
 * and of older modals are not read.
 */
function isConnected(storage: LatchkeyOptions['storage']): boolean {
  try {
    return (storage ?? localStorage).getItem('@latchkey/connection_status') === 'connected'
  } catch {
    return false
  }
}

/** Creates an error shaped like a LatchkeyError, because importing the class would add a kilobyte to the initial bundle. */
function notLoaded(cause?: unknown): Error {
  return Object.assign(new Error('Latchkey did not load or was stopped.', { cause }), {
    code: 'app/not-loaded' satisfies ErrorCode,
    details: undefined,
  })
}

const nothing: readonly [] = []
const noneListed = { wallets: nothing, coming: 0 }
const onlyWallets = ['wallet'] as const

/** Returns the initial state, which is also used for server rendering. */
export function initialTree(options: LatchkeyOptions): State {
  const { initialState: shown, adapters = [] } = options
  const known = shown && adapters.some(({ namespace }) => namespace === shown.namespace) ? shown : undefined
  return {
    started: false,
    ready: false,
    networks: initialNetworks({ adapters, defaultNetwork: options.defaultNetwork, shown: known?.chain }),
    connections: {
      byNamespace: known
        ? {
            [known.namespace]: {
              status: 'reconnecting',
              connectorId: '',
              accounts: [accountId(known.chain, known.address)],
              chain: known.chain,
            },
          }
        : {},
      others: [],
    },
    wallets: { connectors: [], filter: undefined, recent: [], excluded: [] },
    account: { balance: { status: 'idle' }, identity: { status: 'idle' } },
    activity: [],
    signIn: { status: 'unknown', account: undefined, session: undefined, error: undefined },
    modal: {
      open: options.embedded === true,
      stack: [route('Connect')],
      loading: false,
      loadingBy: {},
      shaking: false,
    },
    toast: undefined,
    alert: undefined,
    theme: { mode: options.themeMode ?? 'system', variables: options.themeVariables ?? {} },
  }
}

/** Converts the state of a connection to the value that `account()` returns. */
export function accountView(now: ConnectionState): ReturnType<Latchkey['account']> {
  const held = now.status === 'connected' || now.status === 'reconnecting'
  const [account] = held ? now.accounts : []
  return {
    status: now.status,
    account,
    address: account && addressOf(account),
    chain: held ? now.chain : undefined,
    accounts: held ? now.accounts : [],
    connectorId: held || now.status === 'connecting' ? now.connectorId : undefined,
    health: now.status === 'connected' ? now.health : now.status === 'reconnecting' && now.error ? 'unknown' : 'ok',
    ...(now.status === 'connected' && now.details),
  }
}
