import { writeFrame } from '@latchkey/protocol/relay'
import type { Clock, Log } from '../serverDependencies.ts'
import { StoreUnavailableError } from './messages/messageStore.ts'
import type { RelayMetrics } from './relayMetrics.ts'
import { RpcError } from './rpcRequest.ts'

/** How long repeated rejections caused by an unavailable store are counted without being logged, in milliseconds. */
const quietMs = 5_000

/** Creates error responses, and logs and counts the errors. */
export interface ErrorResponses {
  /** Returns the response to a request that failed. */
  failed(id: string, error: unknown): string
  /** Returns the response to a frame that is not a valid request. */
  invalidRequest(): string
}

/** Creates the error responses of a relay. Unexpected errors are logged and not revealed to the client. */
export function createErrorResponses({
  metrics,
  log,
  clock,
}: {
  metrics: Pick<RelayMetrics, 'refused'>
  log: Log
  clock: Clock
}): ErrorResponses {
  const unavailable = { count: 0, loggedAt: Number.NEGATIVE_INFINITY }
  /** Logs one line for many rejections, so that an unavailable store does not flood the log. */
  const logUnavailable = (reason: string): void => {
    unavailable.count += 1
    if (clock() - unavailable.loggedAt < quietMs) return
    log('warn', 'relay calls were rejected because the message store is unavailable', {
      code: 'MailboxUnavailable',
      reason,
      count: unavailable.count,
    })
    unavailable.count = 0
    unavailable.loggedAt = clock()
  }

  const toRpcError = (error: unknown): RpcError => {
    if (error instanceof RpcError) return error
    if (error instanceof StoreUnavailableError) {
      logUnavailable(error.message)
      return new RpcError('MailboxUnavailable', 'The relay cannot reach its message store: try again')
    }
    log('error', 'relay call failed', unexpectedErrorFields(error))
    return new RpcError('Internal', 'The relay failed')
  }

  const failed = (id: string, error: unknown): string => {
    const rpcError = toRpcError(error)
    metrics.refused('call', rpcError.tag)
    return writeFrame(id, { error: rpcError.toJSON() })
  }

  return { failed, invalidRequest: () => failed('null', new RpcError('InvalidRequest', 'Invalid request')) }
}

/** Returns the log fields for an unexpected error: its name, code and stack. */
export function unexpectedErrorFields(error: unknown): Record<string, string> {
  const { name, code, stack } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException
  return { error: name ?? 'unknown', ...(code ? { code } : {}), ...(stack ? { stack } : {}) }
}
