import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AccountDetails, Connector, Network, Session } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { HostEvents, State } from '../latchkeyTypes.ts'
import { abortable, linkedController } from '../lib/abortable.ts'
import type { Events } from '../lib/createEvents.ts'
import type { Log } from '../lib/log.ts'
import type { Retries } from '../lib/retries.ts'
import type { Store } from '../lib/store.ts'
import type { Networks } from '../networks/networks.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import { createConnectionSlice } from './connectionSlice.ts'
import type { LiveSession } from './liveSession.ts'
import { withMultichainConnections } from './multichainConnections.ts'
import type { ConnectionAttempt } from './restoreAttempts.ts'
import { createConnectionRestore } from './restoreConnections.ts'
import { createSessionRegistry } from './sessionRegistry.ts'
import { clearConnected, readChain, readConnections, storeConnections } from './storedConnections.ts'

/**
 * Connects and disconnects wallets, and selects the active wallet. Contains the live sessions, while the state contains only
 * serializable descriptions of them.
 */
export interface Connections {
  connect(params: {
    connector: Connector
    chain?: ChainId | undefined
    signal?: AbortSignal | undefined
    /** Whether this connection adds a chain family to an existing login. An added family does not become the active one. */
    secondary?: boolean
    /** The connection method and the wallet's name, if they differ from the connector's. */
    by?: { readonly method: 'mobile' | 'qrcode'; readonly name: string }
  }): Promise<Session>
  disconnect(params?: { namespace?: Namespace; connectorId?: string }): Promise<void>
  activate(params: { namespace: Namespace; connectorId: string; account?: AccountId }): void
  switchNetwork(network: Network): Promise<void>
  /** Returns the active session, or the session that belongs to `connectorId` if specified. */
  session(namespace: Namespace, connectorId?: string): Session | undefined
  /** Marks the stored connections as reconnecting. `found` later restores the session for each wallet that is discovered. */
  restore(): void
  /** Handles a discovered connector, and restores its session if it was connected on the last visit. */
  found(connector: Connector): void
  /** Immediately retries all pending restores, including those that are waiting for their next attempt. */
  retry(namespace: Namespace): void
  /** Releases all sessions without disconnecting them. */
  stop(): void
}

/** The timeout for a connection that the user requested. */
const connectTimeoutMs = 300_000

/** The parts of the instance that connections use. */
interface ConnectionsDependencies {
  readonly state: Store<State['connections']>
  readonly namespaces: readonly Namespace[]
  readonly networks: Networks
  /** Returns the embedded wallet's account type in each namespace. */
  accountTypes(): AccountDetails['preferredAccountTypes']
  active(): Namespace | undefined
  readonly records: StorageSchema
  readonly events: Events<HostEvents>
  readonly clock: Clock
  readonly retries: Retries
  readonly log: Log
  readonly reconnect: boolean
  readonly multiWallet: boolean
  track(event: AnalyticsEvent): void
  /** Called when a transaction has been sent from an account in `namespace`. */
  sent(namespace: Namespace): void
  /** Called when a wallet has connected, to add it to the recent wallets. */
  used(connector: Connector): void
}

/** Creates the connections and writes their state to the `connections` slice. */
export function createConnections({
  state,
  namespaces,
  networks,
  accountTypes,
  active,
  records,
  events,
  clock,
  retries,
  log,
  reconnect,
  multiWallet,
  track,
  sent,
  used,
}: ConnectionsDependencies): Connections {
  const live = new Map<Namespace, readonly LiveSession[]>()
  /** The pending request in each namespace. */
  const attempts = new Map<Namespace, ConnectionAttempt>()
  const slice = createConnectionSlice({ state, live, networks, accountTypes, active })
  const store = (namespace: Namespace): void =>
    storeConnections({
      namespace,
      sessions: live.get(namespace) ?? [],
      namespaces,
      stateOf: slice.get,
      isRestoring: restore.has,
      records,
    })
  const sessions = createSessionRegistry({ live, slice, networks, active, store, events, clock, sent })
  const restore = createConnectionRestore({
    slice,
    attempts,
    clock,
    retries,
    log,
    storedChain: (connector) => readChain(connector, { records, networks }),
    restored(session, { connector, first }) {
      sessions.add(session, { reconnect: true, first })
      const { name } = connector
      track({ event: 'CONNECT_SUCCESS', properties: { method: methodOf(connector), name, reconnect: true } })
    },
    isConnected: (namespace) => sessions.find(namespace) !== undefined,
    store,
    reconnect,
  })

  return {
    async connect({ connector, chain, signal, secondary = false, by }) {
      const { namespace } = connector
      const resume = restore.interrupt(namespace)
      attempts.get(namespace)?.controller.abort()
      const controller = linkedController(signal)
      const attempt = { connector, controller }
      attempts.set(namespace, attempt)
      // If a different wallet is connected, keep displaying its state while the request is pending.
      if (!sessions.find(namespace)) slice.set(namespace, { status: 'connecting', connectorId: connector.id })
      // Ignore a stored network that the host no longer lists, because it must not prevent connecting.
      const target = chain ?? networks.listed(namespace)
      const cancel = clock.after(connectTimeoutMs, () =>
        controller.abort(new LatchkeyError('wallet/unresponsive', { connectorId: connector.id })),
      )
      try {
        const asks = connector.connect({ ...(target && { chain: target }), signal: controller.signal })
        const session = await abortable(asks, controller.signal).catch((error: unknown) => {
          // The user can still approve an aborted request in the wallet, so disconnect a session that arrives late.
          asks.then((late) => late.disconnect()).catch(() => undefined)
          throw error
        })
        attempts.delete(namespace)
        const others = sessions.add(session, { reconnect: false, first: true, secondary })
        if (!multiWallet) for (const other of others) void sessions.disconnect(other)
        used(connector)
        track({ event: 'CONNECT_SUCCESS', properties: by ?? { method: methodOf(connector), name: connector.name } })
        return session
      } catch (cause) {
        const error = toLatchkeyError(cause)
        const isAborted = error.code === 'request/aborted'
        if (attempts.get(namespace) === attempt) {
          attempts.delete(namespace)
          // A rejection by a different wallet must not discard restores that an outage has delayed.
          if (!resume()) {
            slice.update(namespace, isAborted ? undefined : error)
            store(namespace)
          }
        }
        if (!isAborted) track({ event: 'CONNECT_ERROR', properties: { message: error.message } })
        throw error
      } finally {
        cancel()
      }
    },

    async disconnect(params = {}) {
      const matches = (namespace: Namespace, connectorId: string | undefined): boolean =>
        (!params.namespace || params.namespace === namespace) &&
        (!params.connectorId || params.connectorId === connectorId)
      const leaving = withMultichainConnections(sessions.all(), ({ namespace, id }) => matches(namespace, id))
      for (const [namespace, { connector, controller }] of attempts)
        if (matches(namespace, connector.id)) controller.abort()
      restore.cancel(matches)

      const causes = (await Promise.all(leaving.map(sessions.disconnect))).filter((cause) => cause !== undefined)
      if (causes.length > 0) {
        const message = causes.map(({ message }) => message).join(', ')
        track({ event: 'DISCONNECT_ERROR', properties: { message } })
        throw new LatchkeyError('disconnect/failed', { message }, { cause: new AggregateError(causes, message) })
      }
      track({ event: 'DISCONNECT_SUCCESS', properties: { namespace: params.namespace ?? 'all' } })
    },

    activate: sessions.activate,

    async switchNetwork(network) {
      await sessions.switchNetwork(network)
      track({ event: 'SWITCH_NETWORK', properties: { network: network.caipNetworkId } })
    },

    session: sessions.find,

    restore() {
      const stored = readConnections({ namespaces, records, networks, reconnect, multiWallet })
      restore.begin(stored)
      for (const namespace of namespaces) {
        if (slice.get(namespace).status !== 'disconnected' && !stored.some((entry) => entry.namespace === namespace))
          slice.set(namespace, { status: 'disconnected' })
      }
      if (!reconnect) clearConnected(namespaces, records)
    },

    found: restore.found,
    retry: restore.retry,

    stop() {
      restore.stop()
      for (const { controller } of attempts.values()) controller.abort()
      attempts.clear()
      sessions.stop()
    },
  }
}

function methodOf({ type }: Connector): 'browser' | 'qrcode' | 'email' | 'external' {
  if (type === 'WALLET_CONNECT') return 'qrcode'
  if (type === 'AUTH' || type === 'ID_AUTH') return 'email'
  return type === 'EXTERNAL' ? 'external' : 'browser'
}
