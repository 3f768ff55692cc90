import type { Namespace } from '@latchkey/protocol/caip'
import type { Connector } from '../adapter.ts'
import type { ConnectionSlice } from './connectionSlice.ts'
import { createRestoreAttempts, type PendingRestore, type RestoreAttemptDependencies } from './restoreAttempts.ts'
import type { StoredNamespace } from './storedConnections.ts'

/** The time after which a stored wallet that has not been discovered is shown as disconnected. */
const discoveryMs = 3000

/** Restores the connections from the last visit as their wallets are discovered. */
export interface ConnectionRestore {
  /** Marks the stored connections as reconnecting. `found` later restores the session for each wallet that is discovered. */
  begin(stored: readonly StoredNamespace[]): void
  /** Handles a discovered connector, and restores its session if it was connected on the last visit. */
  found(connector: Connector): void
  /** Immediately retries all pending restores, including those that are waiting for their next attempt. */
  retry(namespace: Namespace): void
  has(namespace: Namespace, connectorId: string): boolean
  /**
   * Cancels the namespace's restores because the user has requested a connection. Returns a function that resumes the restores,
   * or returns `false` if there were none.
   */
  interrupt(namespace: Namespace): () => boolean
  /** Cancels the restores for which `matches` returns `true`. `connectorId` is `undefined` for the whole namespace. */
  cancel(matches: (namespace: Namespace, connectorId: string | undefined) => boolean): void
  stop(): void
}

/** Creates the functions that restore the connections from the last visit. */
export function createConnectionRestore({
  slice,
  isConnected,
  store,
  reconnect,
  ...silent
}: Omit<RestoreAttemptDependencies, 'rejected' | 'delayed'> & {
  readonly slice: ConnectionSlice
  /** Whether the namespace has a live session. */
  isConnected(namespace: Namespace): boolean
  store(namespace: Namespace): void
  /** Whether the host has enabled restoring connections. */
  readonly reconnect: boolean
}): ConnectionRestore {
  const { attempts, clock } = silent
  /** The IDs of stored connectors that have not been discovered yet. */
  const undiscovered = new Map<Namespace, readonly string[]>()
  /** The ID of the connector that becomes active in each namespace, regardless of the order of discovery. */
  const activeIds = new Map<Namespace, string>()
  let timers: (() => void)[] = []
  let stopped = false

  const restores = createRestoreAttempts({
    ...silent,
    rejected(restore) {
      if (isLast(restore)) giveUp(restore.connector.namespace)
    },
    delayed(restore, error) {
      // Keep the account and set the error while it is unknown whether the connection still exists.
      const { namespace } = restore.connector
      const shown = slice.get(namespace)
      if (isLast(restore) && shown.status === 'reconnecting') slice.set(namespace, { ...shown, error })
    },
  })
  /** Whether the restore is for the active wallet and all other stored wallets have been discovered. */
  const isLast = ({ connector, first }: PendingRestore): boolean =>
    first && (undiscovered.get(connector.namespace) ?? []).length === 0

  const giveUp = (namespace: Namespace): void => {
    undiscovered.delete(namespace)
    for (const restore of restores.in(namespace)) restores.cancel(restore)
    if (slice.get(namespace).status === 'reconnecting') slice.update(namespace)
    store(namespace)
  }

  /** Shows a connection as disconnected if its wallet was not discovered in time. It is restored if the wallet appears later. */
  const discoveryEnded = (namespace: Namespace): void => {
    if (attempts.has(namespace) || restores.in(namespace).some(({ first }) => first)) return
    if (slice.get(namespace).status === 'reconnecting') slice.update(namespace)
  }

  return {
    begin(stored) {
      for (const { namespace, connectorId, connectorIds, chain, accounts } of stored) {
        undiscovered.set(namespace, connectorIds)
        activeIds.set(namespace, connectorId)
        slice.set(namespace, { status: 'reconnecting', connectorId, chain, accounts })
        timers.push(clock.after(discoveryMs, () => discoveryEnded(namespace)))
      }
    },

    found(connector) {
      const { namespace, id } = connector
      const ids = undiscovered.get(namespace) ?? []
      // Inside the Safe app, Safe is the only wallet and connects without prompting the user.
      const inSafe = id === 'safe' && reconnect && !isConnected(namespace) && !attempts.has(namespace)
      if (!ids.includes(id) && !inSafe) return
      undiscovered.set(
        namespace,
        ids.filter((other) => other !== id),
      )
      restores.start({ connector, first: inSafe || activeIds.get(namespace) === id })
    },

    retry(namespace) {
      for (const restore of restores.in(namespace)) restores.resume(restore)
    },

    has: restores.has,

    interrupt(namespace) {
      const before = slice.get(namespace)
      const interrupted = restores.in(namespace)
      for (const restore of interrupted) restores.cancel(restore)
      undiscovered.delete(namespace)
      return () => {
        if (before.status !== 'reconnecting' || interrupted.length === 0 || stopped) return false
        slice.set(namespace, before)
        for (const restore of interrupted) restores.resume(restore)
        return true
      }
    },

    cancel(matches) {
      const cancelled = restores.cancelAll(({ namespace, id }) => matches(namespace, id))
      const namespaces = cancelled.map(({ connector }) => connector.namespace)
      for (const namespace of new Set([...undiscovered.keys(), ...namespaces])) {
        const ids = undiscovered.get(namespace) ?? []
        const left = ids.filter((id) => !matches(namespace, id))
        if (left.length === ids.length && !namespaces.includes(namespace) && !matches(namespace, undefined)) continue
        undiscovered.set(namespace, left)
        // Give up only if no other wallet in the namespace can still be restored.
        if (left.length === 0 && restores.in(namespace).length === 0) giveUp(namespace)
      }
    },

    stop() {
      stopped = true
      restores.cancelAll(() => true)
      for (const cancel of timers) cancel()
      timers = []
      undiscovered.clear()
    },
  }
}
