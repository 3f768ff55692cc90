import { type AccountId, addressOf, type Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { signOutTimeoutMs } from '@latchkey/protocol/specificationConstants'
import type { Network, Session } from '../adapter.ts'
import type { HostEvents } from '../latchkeyTypes.ts'
import { abortable } from '../lib/abortable.ts'
import type { Events } from '../lib/createEvents.ts'
import type { Networks } from '../networks/networks.ts'
import type { ConnectionSlice } from './connectionSlice.ts'
import { type LiveSession, readAgain } from './liveSession.ts'

/**
 * The live sessions by namespace, with the active session first. Changes are written to the state and the storage, and emitted as
 * events.
 */
export interface SessionRegistry {
  all(): readonly LiveSession[]
  find(namespace: Namespace, connectorId?: string): Session | undefined
  /**
   * Adds a session, and makes it active if `first` is `true` or its namespace has no other session. Returns the other wallets'
   * sessions in the namespace.
   */
  add(session: Session, params: { reconnect: boolean; first: boolean; secondary?: boolean }): readonly LiveSession[]
  activate(params: { namespace: Namespace; connectorId: string; account?: AccountId }): void
  switchNetwork(network: Network): Promise<void>
  /** Disconnects and removes a session, even if the wallet reports an error. Resolves to the error, if any. */
  disconnect(live: LiveSession): Promise<Error | undefined>
  /** Releases all sessions without disconnecting them. */
  stop(): void
}

/** Creates the registry for the sessions in `live`. */
export function createSessionRegistry({
  live,
  slice,
  networks,
  active,
  store,
  events,
  clock,
  sent,
}: {
  readonly live: Map<Namespace, readonly LiveSession[]>
  readonly slice: Pick<ConnectionSlice, 'update'>
  readonly networks: Pick<Networks, 'activate' | 'supports'>
  active(): Namespace | undefined
  /** Stores the namespace's connections. */
  store(namespace: Namespace): void
  readonly events: Pick<Events<HostEvents>, 'emit'>
  readonly clock: Pick<Clock, 'after'>
  /** Called when a transaction has been sent from an account in `namespace`. */
  sent(namespace: Namespace): void
}): SessionRegistry {
  const sessionsIn = (namespace: Namespace): readonly LiveSession[] => live.get(namespace) ?? []
  const all = (): readonly LiveSession[] => [...live.values()].flat()
  const isFirst = (entry: LiveSession): boolean => sessionsIn(entry.session.connector.namespace)[0] === entry

  const changed = (entry: LiveSession, what: 'accounts' | 'chain'): void => {
    const { namespace } = entry.session.connector
    const before = entry.chain
    readAgain(entry)
    if (isFirst(entry)) {
      if (entry.chain !== before && active() === namespace) networks.activate(entry.chain)
      slice.update(namespace)
      if (what === 'accounts') events.emit('accounts', { namespace, accounts: entry.accounts })
      else events.emit('chain', { namespace, chain: entry.chain, supported: networks.supports(entry.chain) })
    } else slice.update(namespace)
    store(namespace)
  }

  const drop = (entry: LiveSession): void => {
    const { namespace } = entry.session.connector
    entry.off()
    const rest = sessionsIn(namespace).filter((other) => other !== entry)
    const wasFirst = isFirst(entry)
    live.set(namespace, rest)
    const [next] = rest
    if (wasFirst && next && active() === namespace) networks.activate(next.chain)
    slice.update(namespace)
    store(namespace)
    if (!next) events.emit('disconnect', { namespace })
    else if (wasFirst) events.emit('accounts', { namespace, accounts: next.accounts })
  }

  return {
    all,
    find: (namespace, connectorId) =>
      sessionsIn(namespace).find(({ session }) => !connectorId || session.connector.id === connectorId)?.session,

    add(session, { reconnect, first, secondary }) {
      const { namespace, id: connectorId } = session.connector
      const entry: LiveSession = {
        session,
        off: () => unsubscribe(),
        accounts: session.accounts,
        chain: session.chain,
        health: 'ok',
      }
      const subscriptions = [
        session.on('accounts', () => changed(entry, 'accounts')),
        session.on('chain', () => changed(entry, 'chain')),
        session.on('health', (health) => {
          entry.health = health
          if (isFirst(entry)) slice.update(namespace)
        }),
        session.on('sent', () => sent(namespace)),
        session.on('disconnect', () => drop(entry)),
      ]
      const unsubscribe = (): void => {
        for (const off of subscriptions) off()
      }

      const others = sessionsIn(namespace).filter((other) => {
        if (other.session.connector.id !== connectorId) return true
        other.off()
        return false
      })
      live.set(namespace, first ? [entry, ...others] : [...others, entry])
      if (isFirst(entry)) {
        // Update all state before emitting events. Update the network first, so that the account is never rendered with the
        // previous network.
        if (!(reconnect || secondary) || active() === namespace) networks.activate(entry.chain)
        slice.update(namespace)
        const { accounts, chain } = entry
        events.emit('connect', { namespace, account: accounts[0], chain, connectorId, reconnect })
      } else slice.update(namespace)
      store(namespace)
      return others
    },

    activate({ namespace, connectorId, account }) {
      const entry = sessionsIn(namespace).find(({ session }) => session.connector.id === connectorId)
      if (!entry) throw new LatchkeyError('wallet/not-found', { connectorId })
      if (account) entry.chosen = addressOf(account)
      readAgain(entry)
      live.set(namespace, [entry, ...sessionsIn(namespace).filter((other) => other !== entry)])
      networks.activate(entry.chain)
      slice.update(namespace)
      store(namespace)
      events.emit('accounts', { namespace, accounts: entry.accounts })
    },

    async switchNetwork(network) {
      const { caipNetworkId: chain, chainNamespace: namespace } = network
      const [entry] = sessionsIn(namespace)
      if (entry && entry.session.chain !== chain) {
        const { switchChain } = entry.session.can
        if (!switchChain) throw new LatchkeyError('wallet/unsupported', { method: 'switchChain' })
        await switchChain.call(entry.session.can, network)
        readAgain(entry)
        slice.update(namespace)
        store(namespace)
      }
      networks.activate(entry ? entry.chain : chain)
    },

    async disconnect(entry) {
      const controller = new AbortController()
      const { connector } = entry.session
      const cancel = clock.after(signOutTimeoutMs, () =>
        controller.abort(new LatchkeyError('wallet/unresponsive', { connectorId: connector.id })),
      )
      try {
        await abortable(entry.session.disconnect(), controller.signal)
        return undefined
      } catch (cause) {
        return toLatchkeyError(cause)
      } finally {
        cancel()
        if (sessionsIn(connector.namespace).includes(entry)) drop(entry)
      }
    },

    stop() {
      for (const entry of all()) entry.off()
      live.clear()
    },
  }
}
