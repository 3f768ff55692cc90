import { type AccountId, accountId, addressOf, type ChainId, type Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { signOutTimeoutMs } from '@latchkey/protocol/constants'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import type { AccountDetails, Connector, Network, Session } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { ConnectionState, HostEvents, OtherConnection, State } from '../latchkey.ts'
import { abortable, linkedController } from '../lib/abort.ts'
import type { Events } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { isAnswer, retryAfterOf } from '../lib/outage.ts'
import type { Retries } from '../lib/retries.ts'
import type { Store } from '../lib/store.ts'
import type { Networks } from '../networks/networks.ts'
import type { StorageRecords, StoredConnection } from '../storage/storageRecords.ts'

/** Connects and disconnects wallets and selects the active one. Holds the live sessions; the store has serializable descriptions of them. */
export interface Connections {
  connect(params: {
    connector: Connector
    chain?: ChainId | undefined
    signal?: AbortSignal | undefined
    /** Another family of the same login. It does not become the active family. */
    beside?: boolean
    /** The connection method and the wallet's name, if the connector does not know them. */
    by?: { readonly method: 'mobile' | 'qrcode'; readonly name: string }
  }): Promise<Session>
  disconnect(params?: { namespace?: Namespace; connectorId?: string }): Promise<void>
  activate(params: { namespace: Namespace; connectorId: string; account?: AccountId }): void
  switchNetwork(network: Network): Promise<void>
  /** Returns the active session, or the session of the given connector. */
  session(namespace: Namespace, connectorId?: string): Session | undefined
  /** Shows the stored connections of a returning user. Their wallets are reported later through `found`. */
  restore(): void
  /** Handles a discovered connector. Restores its session if it was connected on the last visit. */
  found(connector: Connector): void
  /** Immediately retries the restores that received no response. */
  retry(namespace: Namespace): void
  /** Releases all sessions without disconnecting them. */
  stop(): void
}

interface Live {
  readonly session: Session
  readonly off: () => void
  accounts: readonly [AccountId, ...AccountId[]]
  chain: ChainId
  health: 'ok' | 'silent'
  /** The address that the user selected, if there are several. */
  chosen?: string
}

/** A stored connection that the wallet or its server has not confirmed yet. */
interface Restoring {
  readonly connector: Connector
  readonly first: boolean
  failures: number
  /** The current attempt. Earlier attempts are aborted. */
  turn?: AbortController
  cancel(): void
}

/** How long a wallet can take to be discovered, and to respond to a silent request before the user is notified. */
const appearMs = 3000
const silentMs = 10_000
/** How long to wait for a late response before the request is repeated. */
const lateMs = 60_000
/** Timeout of a connection that the user requested. */
const connectTimeoutMs = 300_000

const unresponsive = ({ id }: Pick<Connector, 'id'>): LatchkeyError =>
  new LatchkeyError('wallet/unresponsive', { connectorId: id })

/** Manages the `connections` slice. */
export function createConnections(deps: {
  state: Store<State['connections']>
  namespaces: readonly Namespace[]
  networks: Networks
  /** Returns the account type of the embedded wallet in each namespace. */
  accountTypes(): AccountDetails['preferredAccountTypes']
  active(): Namespace | undefined
  records: StorageRecords
  events: Events<HostEvents>
  clock: Clock
  retries: Retries
  log: Log
  reconnect: boolean
  multiWallet: boolean
  track(event: AnalyticsEvent): void
  /** Called when a transaction was sent from an account of `namespace`. */
  sent(namespace: Namespace): void
  /** Called when a wallet was used, to add it to the recent wallets. */
  used(connector: Connector): void
}): Connections {
  const { state, networks, records, events, clock, log } = deps
  const live = new Map<Namespace, Live[]>()
  const attempts = new Map<Namespace, AbortController>()
  /** The connector ids to restore after start that have not been discovered yet, by namespace. */
  const awaited = new Map<Namespace, string[]>()
  /** The connector id that becomes active in each namespace, regardless of the order of discovery. */
  const before = new Map<Namespace, string>()
  /** The silent requests in progress. */
  const silent = new Map<AbortController, Connector>()
  /** The connector that a user-initiated request was sent to. */
  const connectorOf = new WeakMap<AbortController, Connector>()
  /** The restores in progress, by namespace and connector id, until they succeed or definitely fail. */
  const restoring = new Map<string, Restoring>()
  let cancels: (() => void)[] = []
  let stopped = false

  const of = (namespace: Namespace): Live[] => live.get(namespace) ?? []
  const now = (namespace: Namespace): ConnectionState =>
    state.get().byNamespace[namespace] ?? { status: 'disconnected' }
  const show = (namespace: Namespace, next: ConnectionState) => {
    const { byNamespace } = state.get()
    state.set({ byNamespace: { ...byNamespace, [namespace]: next }, others: others() })
  }
  const others = (): OtherConnection[] =>
    [...live].flatMap(([namespace, [, ...rest]]) =>
      rest.map(({ session, accounts }) => ({ namespace, connectorId: session.connector.id, accounts })),
    )
  /** Updates the namespace's state from its first session. */
  const settle = (namespace: Namespace, error?: LatchkeyError) => {
    const [first] = of(namespace)
    if (!first) {
      show(namespace, error ? { status: 'disconnected', error } : { status: 'disconnected' })
      return leaveUnlisted(namespace)
    }
    const { accounts, chain, health, session } = first
    const isEmbedded = session.connector.type === 'AUTH'
    const details = isEmbedded ? { ...session.details, preferredAccountTypes: deps.accountTypes() } : session.details
    show(namespace, { status: 'connected', connectorId: session.connector.id, accounts, chain, details, health })
  }

  /** A network that the host does not list is the choice of the wallet, and ends with its connection. */
  const leaveUnlisted = (namespace: Namespace): void => {
    const listed = networks.listed(namespace)
    if (deps.active() === namespace && listed && listed !== networks.first(namespace)) networks.activate(listed)
  }

  const keyOf = ({ namespace, id }: Connector): string => `${namespace}:${id}`
  const restoringIn = (namespace: Namespace): Restoring[] =>
    [...restoring.values()].filter(({ connector }) => connector.namespace === namespace)

  /** Stores the current sessions. Connections still being restored stay stored. */
  const store = (namespace: Namespace) => {
    const all = of(namespace)
    if (now(namespace).status !== 'reconnecting') {
      const kept = deps.namespaces.filter((each) => (each === namespace ? all.length > 0 : isHeld(now(each))))
      const before = records.connectedNamespaces.get() ?? []
      const inOrder = [
        ...before.filter((each) => kept.includes(each)),
        ...kept.filter((each) => !before.includes(each)),
      ]
      if (inOrder.length > 0) records.connectedNamespaces.set(inOrder)
      else records.connectedNamespaces.clear()
      records.status.set(inOrder.length > 0 ? 'connected' : 'disconnected')
      const [first] = all
      if (first) records.connectorId(namespace).set(first.session.connector.id)
      else records.connectorId(namespace).clear()
      const earlier = records.connections.get() ?? {}
      const unsettled = (earlier[namespace] ?? []).filter(
        ({ connectorId }) =>
          restoring.has(`${namespace}:${connectorId}`) &&
          !all.some(({ session }) => session.connector.id === connectorId),
      )
      records.connections.set({ ...earlier, [namespace]: [...all.map(stored), ...unsettled] })
    }
  }

  const read = (entry: Live) => {
    const { accounts, chain } = entry.session
    entry.chain = chain
    entry.accounts = chosenFirst(accounts, entry.chosen)
  }

  const adopt = (session: Session, params: { reconnect: boolean; first: boolean; beside?: boolean }) => {
    const { connector } = session
    const { namespace } = connector
    const entry: Live = { session, off: () => off(), accounts: session.accounts, chain: session.chain, health: 'ok' }
    const offs = [
      session.on('accounts', () => changed(entry, 'accounts')),
      session.on('chain', () => changed(entry, 'chain')),
      session.on('health', (health) => {
        entry.health = health
        if (of(namespace)[0] === entry) settle(namespace)
      }),
      session.on('sent', () => deps.sent(namespace)),
      session.on('disconnect', () => drop(entry)),
    ]
    const off = () => {
      for (const each of offs) each()
    }

    const earlier = of(namespace).filter((each) => {
      if (each.session.connector.id !== connector.id) return true
      each.off()
      return false
    })
    live.set(namespace, params.first ? [entry, ...earlier] : [...earlier, entry])
    if (of(namespace)[0] === entry) {
      // Update all state before emitting events, and the network first, so that no frame shows the account on another network.
      if (!(params.reconnect || params.beside) || deps.active() === namespace) networks.activate(entry.chain)
      settle(namespace)
      events.emit('connect', {
        namespace,
        account: entry.accounts[0],
        chain: entry.chain,
        connectorId: connector.id,
        reconnect: params.reconnect,
      })
    } else settle(namespace)
    store(namespace)
    return earlier
  }

  const changed = (entry: Live, what: 'accounts' | 'chain') => {
    const { namespace } = entry.session.connector
    const before = entry.chain
    read(entry)
    if (of(namespace)[0] === entry) {
      if (entry.chain !== before && deps.active() === namespace) networks.activate(entry.chain)
      settle(namespace)
      if (what === 'accounts') events.emit('accounts', { namespace, accounts: entry.accounts })
      else events.emit('chain', { namespace, chain: entry.chain, supported: networks.supports(entry.chain) })
    } else settle(namespace)
    store(namespace)
  }

  const drop = (entry: Live) => {
    const { namespace } = entry.session.connector
    entry.off()
    const rest = of(namespace).filter((each) => each !== entry)
    const wasFirst = of(namespace)[0] === entry
    live.set(namespace, rest)
    const [next] = rest
    if (wasFirst && next && deps.active() === namespace) networks.activate(next.chain)
    settle(namespace)
    store(namespace)
    if (!next) events.emit('disconnect', { namespace })
    else if (wasFirst) events.emit('accounts', { namespace, accounts: next.accounts })
  }

  /** Cancels all restores in the namespace. */
  const giveUp = (namespace: Namespace) => {
    awaited.delete(namespace)
    for (const entry of restoringIn(namespace)) release(entry)
    if (now(namespace).status === 'reconnecting') settle(namespace)
    store(namespace)
  }

  const release = (entry: Restoring): void => {
    entry.cancel()
    restoring.delete(keyOf(entry.connector))
  }

  /** Keeps showing the account with `error`, while it is unknown whether the connection still exists. */
  const doubt = (namespace: Namespace, error: LatchkeyError): void => {
    const last = now(namespace)
    if (last.status === 'reconnecting') show(namespace, { ...last, error })
  }

  /** Returns the stored chain of the connection, if the host still supports it. */
  const storedChain = ({ namespace, id }: Connector): ChainId | undefined => {
    const stored = records.connections.get()?.[namespace]?.find(({ connectorId }) => connectorId === id)
    const chain = stored?.caipNetwork
    return chain && networks.supports(chain) ? chain : undefined
  }

  const silently = async (entry: Restoring): Promise<void> => {
    const { connector, first } = entry
    const { namespace } = connector
    entry.cancel()
    const controller = new AbortController()
    if (first) attempts.set(namespace, controller)
    silent.set(controller, connector)
    // Another stored wallet may still become active.
    const isAlone = (): boolean => first && (awaited.get(namespace) ?? []).length === 0
    const cancels = [
      clock.after(silentMs, () => isAlone() && doubt(namespace, unresponsive(connector))),
      clock.after(lateMs, () => controller.abort(unresponsive(connector))),
    ]
    const isCurrent = (): boolean => restoring.get(keyOf(connector)) === entry && entry.turn === controller
    entry.turn = controller
    entry.cancel = () => controller.abort()
    try {
      const chain = storedChain(connector)
      const asks = connector.connect({ ...(chain && { chain }), silent: true, signal: controller.signal })
      const session = await abortable(asks, controller.signal)
      restoring.delete(keyOf(connector))
      adopt(session, { reconnect: true, first })
      deps.track({
        event: 'CONNECT_SUCCESS',
        properties: { method: methodOf(connector), name: connector.name, reconnect: true },
      })
    } catch (cause) {
      const error = toLatchkeyError(cause)
      log.info(`${connector.name} was not restored`, error)
      if (!isCurrent() || stopped) return
      if (isAnswer(error)) {
        release(entry)
        if (isAlone()) giveUp(namespace)
        return
      }
      entry.failures += 1
      if (isAlone()) doubt(namespace, error)
      entry.cancel = deps.retries.schedule(
        { failures: entry.failures, minMs: retryAfterOf(error) },
        () => void silently(entry),
      )
    } finally {
      for (const cancel of cancels) cancel()
      silent.delete(controller)
      if (attempts.get(namespace) === controller) attempts.delete(namespace)
    }
  }

  return {
    async connect({ connector, chain, signal, beside = false, by }) {
      const { namespace } = connector
      const earlier = now(namespace)
      const unsettled = restoringIn(namespace)
      for (const entry of unsettled) release(entry)
      attempts.get(namespace)?.abort()
      awaited.delete(namespace)
      const controller = linkedController(signal)
      attempts.set(namespace, controller)
      connectorOf.set(controller, connector)
      const { length } = of(namespace)
      // If another wallet is connected, its state stays while the request is pending.
      if (length === 0) show(namespace, { status: 'connecting', connectorId: connector.id })
      // A stored network may have been removed by the host or the wallet. It must not prevent connecting.
      const target = chain ?? networks.listed(namespace)
      const cancel = clock.after(connectTimeoutMs, () => controller.abort(unresponsive(connector)))
      try {
        const asks = connector.connect({ ...(target && { chain: target }), signal: controller.signal })
        const session = await abortable(asks, controller.signal).catch((error: unknown) => {
          // The wallet may still approve the aborted request, so disconnect a late session.
          asks.then((late) => late.disconnect()).catch(() => undefined)
          throw error
        })
        attempts.delete(namespace)
        const replaced = adopt(session, { reconnect: false, first: true, beside })
        if (!deps.multiWallet) for (const each of replaced) void leave(each)
        deps.used(connector)
        const how = by ?? { method: methodOf(connector), name: connector.name }
        deps.track({ event: 'CONNECT_SUCCESS', properties: how })
        return session
      } catch (cause) {
        const error = toLatchkeyError(cause)
        const own = attempts.get(namespace) === controller
        if (own) {
          attempts.delete(namespace)
          // A rejection by another wallet must not discard restores that an outage delays.
          if (earlier.status === 'reconnecting' && unsettled.length > 0 && !stopped) {
            show(namespace, earlier)
            for (const entry of unsettled) begin(entry)
          } else {
            settle(namespace, error.code === 'request/aborted' ? undefined : error)
            store(namespace)
          }
        }
        if (error.code !== 'request/aborted')
          deps.track({ event: 'CONNECT_ERROR', properties: { message: error.message } })
        throw error
      } finally {
        cancel()
      }
    },

    async disconnect(params = {}) {
      const isMeant = (namespace: Namespace, connectorId: string | undefined): boolean =>
        (!params.namespace || params.namespace === namespace) &&
        (!params.connectorId || params.connectorId === connectorId)
      const chosen = [...live.values()]
        .flat()
        .filter(({ session: { connector } }) => isMeant(connector.namespace, connector.id))
      // A connector of these types has one connection for several namespaces, and all of them end together.
      const shared = chosen
        .map(({ session }) => session.connector)
        .filter(({ type }) => type === 'WALLET_CONNECT' || type === 'AUTH')
      const leaving = [...live.values()]
        .flat()
        .filter((entry) => chosen.includes(entry) || shared.some(({ id }) => id === entry.session.connector.id))
      for (const [namespace, controller] of attempts)
        if (isMeant(namespace, (connectorOf.get(controller) ?? silent.get(controller))?.id)) controller.abort()
      // Also cancel the restores in progress.
      for (const [controller, { id, namespace }] of silent) if (isMeant(namespace, id)) controller.abort()
      const pending = [...restoring.values()].filter(({ connector }) => isMeant(connector.namespace, connector.id))
      for (const entry of pending) release(entry)
      for (const namespace of new Set([...awaited.keys(), ...pending.map(({ connector }) => connector.namespace)])) {
        const ids = awaited.get(namespace) ?? []
        const left = ids.filter((id) => !isMeant(namespace, id))
        const isConcerned =
          left.length < ids.length ||
          pending.some(({ connector }) => connector.namespace === namespace) ||
          (!params.connectorId && isMeant(namespace, undefined))
        if (!isConcerned) continue
        awaited.set(namespace, left)
        // Other wallets of the family may still be restored.
        if (left.length === 0 && restoringIn(namespace).length === 0) giveUp(namespace)
      }

      const causes = (await Promise.all(leaving.map(leave))).filter((cause) => cause !== undefined)
      if (causes.length > 0) {
        const message = causes.map(({ message }) => message).join(', ')
        deps.track({ event: 'DISCONNECT_ERROR', properties: { message } })
        throw new LatchkeyError('disconnect/failed', { message }, { cause: new AggregateError(causes, message) })
      }
      deps.track({ event: 'DISCONNECT_SUCCESS', properties: { namespace: params.namespace ?? 'all' } })
    },

    activate({ namespace, connectorId, account }) {
      const entry = of(namespace).find(({ session }) => session.connector.id === connectorId)
      if (!entry) throw new LatchkeyError('wallet/not-found', { connectorId })
      if (account) entry.chosen = addressOf(account)
      read(entry)
      live.set(namespace, [entry, ...of(namespace).filter((each) => each !== entry)])
      networks.activate(entry.chain)
      settle(namespace)
      store(namespace)
      events.emit('accounts', { namespace, accounts: entry.accounts })
    },

    async switchNetwork(network) {
      const chain = network.caipNetworkId
      const [entry] = of(network.chainNamespace)
      if (entry && entry.session.chain !== chain) {
        const { switchChain } = entry.session.can
        if (!switchChain) throw new LatchkeyError('wallet/unsupported', { method: 'switchChain' })
        await switchChain.call(entry.session.can, network)
        read(entry)
        settle(network.chainNamespace)
        store(network.chainNamespace)
      }
      networks.activate(entry ? entry.chain : chain)
      deps.track({ event: 'SWITCH_NETWORK', properties: { network: chain } })
    },

    session: (namespace, connectorId) =>
      of(namespace).find(({ session }) => !connectorId || session.connector.id === connectorId)?.session,

    restore() {
      const connected = deps.reconnect && records.status.get() === 'connected'
      if (!connected && records.status.get() === 'disconnected') records.clearCaches()
      const all = records.connections.get() ?? {}
      for (const namespace of deps.namespaces) {
        const connectorId = connected ? records.connectorId(namespace).get() : undefined
        if (!connectorId) {
          if (now(namespace).status !== 'disconnected') show(namespace, { status: 'disconnected' })
          continue
        }
        const kept = all[namespace] ?? []
        const wanted = [connectorId, ...(deps.multiWallet ? kept.map((each) => each.connectorId) : [])]
        awaited.set(namespace, [...new Set(wanted)])
        before.set(namespace, connectorId)
        const own = kept.find((each) => each.connectorId === connectorId)
        const chain = own?.caipNetwork ?? networks.first(namespace)
        show(namespace, {
          status: 'reconnecting',
          connectorId,
          chain,
          accounts: own && chain ? own.accounts.map(({ address }) => accountId(chain, address)) : [],
        })
        // A wallet that was not discovered in time has not rejected anything. Show it as disconnected, and restore it if it is discovered later.
        cancels.push(
          clock.after(appearMs, () => {
            if (attempts.has(namespace) || restoringIn(namespace).some(({ first }) => first)) return
            if (now(namespace).status === 'reconnecting') settle(namespace)
          }),
        )
      }
      if (!deps.reconnect) {
        records.status.set('disconnected')
        records.connectedNamespaces.clear()
        for (const namespace of deps.namespaces) records.connectorId(namespace).clear()
      }
    },

    found(connector) {
      const { namespace, id } = connector
      const waiting = awaited.get(namespace) ?? []
      // Inside Safe's iframe, Safe is the only wallet and connects without a prompt.
      const inSafe = id === 'safe' && deps.reconnect && of(namespace).length === 0 && !attempts.has(namespace)
      if (!waiting.includes(id) && !inSafe) return
      const first = inSafe || before.get(namespace) === id
      const rest = waiting.filter((each) => each !== id)
      awaited.set(namespace, rest)
      begin({ connector, first, failures: 0, cancel: () => {} })
    },

    retry(namespace) {
      for (const entry of restoringIn(namespace)) begin(entry)
    },

    stop() {
      stopped = true
      for (const entry of [...restoring.values()]) release(entry)
      for (const cancel of cancels) cancel()
      cancels = []
      for (const controller of attempts.values()) controller.abort()
      for (const entry of [...live.values()].flat()) entry.off()
      live.clear()
      attempts.clear()
      awaited.clear()
    },
  }

  function begin(entry: Restoring): void {
    restoring.set(keyOf(entry.connector), entry)
    void silently(entry)
  }

  /** Disconnects and removes a session, even if the wallet reports an error. Resolves to that error. */
  async function leave(entry: Live): Promise<Error | undefined> {
    const controller = new AbortController()
    const { connector } = entry.session
    const cancel = clock.after(signOutTimeoutMs, () => controller.abort(unresponsive(connector)))
    try {
      await abortable(entry.session.disconnect(), controller.signal)
      return undefined
    } catch (cause) {
      return toLatchkeyError(cause)
    } finally {
      cancel()
      if (of(connector.namespace).includes(entry)) drop(entry)
    }
  }
}

function stored({ session, accounts, chain }: Live): StoredConnection {
  const seen = new Map(accounts.map((account) => [addressOf(account).toLowerCase(), addressOf(account)]))
  return {
    connectorId: session.connector.id,
    accounts: [...seen.values()].map((address) => ({ address })),
    caipNetwork: chain,
  }
}

function chosenFirst(accounts: Live['accounts'], chosen: string | undefined): Live['accounts'] {
  const first = chosen && accounts.find((account) => addressOf(account).toLowerCase() === chosen.toLowerCase())
  return first ? [first, ...accounts.filter((account) => account !== first)] : accounts
}

function isHeld({ status }: ConnectionState): boolean {
  return status === 'connected' || status === 'reconnecting'
}

function methodOf({ type }: Connector): 'browser' | 'qrcode' | 'email' | 'external' {
  if (type === 'WALLET_CONNECT') return 'qrcode'
  if (type === 'AUTH' || type === 'ID_AUTH') return 'email'
  return type === 'EXTERNAL' ? 'external' : 'browser'
}
