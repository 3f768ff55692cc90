import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Connector, Session } from '../adapter.ts'
import { abortable } from '../lib/abortable.ts'
import { isServerAnswer, retryAfterOf } from '../lib/isServerAnswer.ts'
import type { Log } from '../lib/log.ts'
import type { Retries } from '../lib/retries.ts'

/** How long a wallet can take to respond to a silent request before the user is notified. */
const silentMs = 10_000
/** How long to wait for a late response before the request is repeated. */
const lateMs = 60_000

/** A pending request to a wallet. Aborting the controller cancels it. */
export interface ConnectionAttempt {
  readonly connector: Connector
  readonly controller: AbortController
}

/** A stored connection that the wallet or its server has not confirmed yet. */
export interface PendingRestore {
  readonly connector: Connector
  /** Whether it becomes the active connection of its namespace. */
  readonly first: boolean
  /** Consecutive requests without an answer. */
  failures: number
  /** The current request. Earlier requests are aborted. */
  controller?: AbortController
  /** Aborts the current request, or cancels the next one. */
  cancel(): void
}

/** The restores in progress, until they succeed or definitely fail. */
export interface SilentRestores {
  in(namespace: Namespace): readonly PendingRestore[]
  has(namespace: Namespace, connectorId: string): boolean
  start(params: Pick<PendingRestore, 'connector' | 'first'>): void
  /** Sends the request of a restore again, immediately. */
  resume(restore: PendingRestore): void
  cancel(restore: PendingRestore): void
  /** Cancels the restores of matching connectors and aborts their requests. Returns them. */
  cancelAll(matches: (connector: Connector) => boolean): readonly PendingRestore[]
}

/** The dependencies and callbacks of the restores. */
export interface SilentRestoreDependencies {
  /** The pending request of each namespace, including the restore of the connection that becomes active. */
  readonly attempts: Map<Namespace, ConnectionAttempt>
  readonly clock: Pick<Clock, 'after'>
  readonly retries: Retries
  readonly log: Pick<Log, 'info'>
  storedChain(connector: Connector): ChainId | undefined
  restored(session: Session, restore: PendingRestore): void
  /** The wallet answered that there is no session. */
  rejected(restore: PendingRestore): void
  /** There is no answer yet, so it is unknown whether there is a session. */
  delayed(restore: PendingRestore, error: LatchkeyError): void
}

/** Creates the restores. They connect without a prompt, and repeat requests that an outage kept from being answered. */
export function createSilentRestores({
  attempts,
  clock,
  retries,
  log,
  storedChain,
  restored,
  rejected,
  delayed,
}: SilentRestoreDependencies): SilentRestores {
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
      if (isServerAnswer(error)) {
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
