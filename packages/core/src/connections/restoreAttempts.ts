import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Connector, Session } from '../adapter.ts'
import { abortable } from '../lib/abortable.ts'
import { isDefinitiveError } from '../lib/isDefinitiveError.ts'
import type { Log } from '../lib/log.ts'
import type { Retries } from '../lib/retries.ts'
import { retryAfterOf } from '../lib/retryAfter.ts'

/** The time after which the user is notified that a wallet has not responded to a silent request. */
const silentMs = 10_000
/** The time after which a silent request is aborted and retried. */
const lateMs = 60_000

/** A pending request to a wallet. Aborting the controller cancels it. */
export interface ConnectionAttempt {
  readonly connector: Connector
  readonly controller: AbortController
}

/** A stored connection that the wallet or its server has not confirmed yet. */
export interface PendingRestore {
  readonly connector: Connector
  /** Whether this becomes the active connection in its namespace. */
  readonly first: boolean
  /** The number of consecutive requests that received no response. */
  failures: number
  /** The controller that aborts the current request. */
  controller?: AbortController
  /** Aborts the current request, or cancels the scheduled retry. */
  cancel(): void
}

/** The restores that have neither succeeded nor been rejected yet. */
export interface RestoreAttempts {
  in(namespace: Namespace): readonly PendingRestore[]
  has(namespace: Namespace, connectorId: string): boolean
  start(params: Pick<PendingRestore, 'connector' | 'first'>): void
  /** Immediately sends the restore's request again. */
  resume(restore: PendingRestore): void
  cancel(restore: PendingRestore): void
  /** Cancels the restores for matching connectors and aborts their requests. Returns the cancelled restores. */
  cancelAll(matches: (connector: Connector) => boolean): readonly PendingRestore[]
}

/** Dependencies and callbacks for `createRestoreAttempts`. */
export interface RestoreAttemptDependencies {
  /** The pending request in each namespace, including the restore of the connection that becomes active. */
  readonly attempts: Map<Namespace, ConnectionAttempt>
  readonly clock: Pick<Clock, 'after'>
  readonly retries: Retries
  readonly log: Pick<Log, 'info'>
  storedChain(connector: Connector): ChainId | undefined
  restored(session: Session, restore: PendingRestore): void
  /** Called when the wallet responds that there is no session. */
  rejected(restore: PendingRestore): void
  /** Called if there was no response, in which case it is unknown whether the session still exists. */
  delayed(restore: PendingRestore, error: LatchkeyError): void
}

/** Creates the silent restores. They connect without prompting the user, and retry requests that failed because of an outage. */
export function createRestoreAttempts({
  attempts,
  clock,
  retries,
  log,
  storedChain,
  restored,
  rejected,
  delayed,
}: RestoreAttemptDependencies): RestoreAttempts {
  const restores = new Map<string, PendingRestore>()
  const requests = new Set<ConnectionAttempt>()

  const resume = (restore: PendingRestore): void => {
    restores.set(keyOf(restore.connector), restore)
    void request(restore)
  }
  const cancel = (restore: PendingRestore): void => {
    restore.cancel()
    restores.delete(keyOf(restore.connector))
  }

  const request = async (restore: PendingRestore): Promise<void> => {
    const { connector, first } = restore
    const { namespace } = connector
    restore.cancel()
    const controller = new AbortController()
    const attempt = { connector, controller }
    if (first) attempts.set(namespace, attempt)
    requests.add(attempt)
    const unresponsive = (): LatchkeyError => new LatchkeyError('wallet/unresponsive', { connectorId: connector.id })
    const timers = [
      clock.after(silentMs, () => delayed(restore, unresponsive())),
      clock.after(lateMs, () => controller.abort(unresponsive())),
    ]
    restore.controller = controller
    restore.cancel = () => controller.abort()
    try {
      const chain = storedChain(connector)
      const asks = connector.connect({ ...(chain && { chain }), silent: true, signal: controller.signal })
      const session = await abortable(asks, controller.signal)
      restores.delete(keyOf(connector))
      restored(session, restore)
    } catch (cause) {
      const error = toLatchkeyError(cause)
      log.info(`${connector.name} was not restored`, error)
      const isCurrent = restores.get(keyOf(connector)) === restore && restore.controller === controller
      if (!isCurrent) return
      if (isDefinitiveError(error)) {
        cancel(restore)
        return rejected(restore)
      }
      restore.failures += 1
      delayed(restore, error)
      restore.cancel = retries.schedule(
        { failures: restore.failures, minMs: retryAfterOf(error) },
        () => void request(restore),
      )
    } finally {
      for (const stop of timers) stop()
      requests.delete(attempt)
      if (attempts.get(namespace) === attempt) attempts.delete(namespace)
    }
  }

  return {
    in: (namespace) => [...restores.values()].filter(({ connector }) => connector.namespace === namespace),
    has: (namespace, id) => restores.has(keyOf({ namespace, id })),
    start: ({ connector, first }) => resume({ connector, first, failures: 0, cancel: () => {} }),
    resume,
    cancel,
    cancelAll(matches) {
      for (const { connector, controller } of requests) if (matches(connector)) controller.abort()
      const matching = [...restores.values()].filter(({ connector }) => matches(connector))
      for (const restore of matching) cancel(restore)
      return matching
    },
  }
}

function keyOf({ namespace, id }: Pick<Connector, 'namespace' | 'id'>): string {
  return `${namespace}:${id}`
}
