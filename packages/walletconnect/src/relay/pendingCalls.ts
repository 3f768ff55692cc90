import type { Clock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'

/** The total timeout for a call, across reconnects. */
const callMs = 60_000

/** A call to the relay that has not been answered yet. */
export interface Call {
  /** The call's ID as JSON text. */
  readonly id: string
  readonly method: string
  readonly params: unknown
  /** When the call was sent over the current connection, or `undefined` if it has not been sent yet. */
  sentAt: number | undefined
}

/** The calls to the relay that have not been answered yet. */
export interface PendingCalls {
  readonly size: number
  /** Adds a call and passes it to `start`. Resolves to the relay's result. */
  add(
    request: {
      readonly id: string
      readonly method: string
      readonly params: unknown
      readonly signal?: AbortSignal | undefined
    },
    start: (call: Call) => void,
  ): Promise<unknown>
  /** Settles the call with this ID, according to the relay's response. */
  settle(id: string, response: Readonly<Record<string, unknown>>): void
  rejectAll(error: LatchkeyError): void
  /** Marks every call as unsent. Call this method when the connection closes. */
  connectionClosed(): void
  /** Returns the calls that have not been sent over the current connection. */
  unsent(): readonly Call[]
  /** Whether a call was sent at least `ms` ago. */
  isOverdue(ms: number): boolean
}

interface Entry extends Call {
  end(error: LatchkeyError | undefined, result?: unknown): void
}

/** Creates a list of pending calls. When a call times out, its error includes the address returned by `addressInUse`. */
export function createPendingCalls(clock: Clock, addressInUse: () => string): PendingCalls {
  const calls = new Map<string, Entry>()
  return {
    get size() {
      return calls.size
    },
    add({ id, method, params, signal }, start) {
      return new Promise((resolve, reject) => {
        const cancel = clock.after(callMs, () =>
          call.end(failure('relay/unreachable', { address: new URL(addressInUse()).host })),
        )
        const abort = (): void => call.end(new LatchkeyError('request/aborted'))
        const call: Entry = {
          id,
          method,
          params,
          sentAt: undefined,
          end(error, result) {
            if (!calls.delete(id)) return
            cancel()
            signal?.removeEventListener('abort', abort)
            if (error) reject(error)
            else resolve(result)
          },
        }
        signal?.addEventListener('abort', abort)
        calls.set(id, call)
        start(call)
      })
    },
    settle(id, response) {
      const { error, result } = response as {
        error?: { message?: unknown } | null
        result?: unknown
      }
      if (!error) calls.get(id)?.end(undefined, result)
      else
        calls.get(id)?.end(failure('relay/failed', { message: typeof error.message === 'string' ? error.message : '' }))
    },
    rejectAll(error) {
      for (const call of [...calls.values()]) call.end(error)
    },
    connectionClosed() {
      for (const call of calls.values()) call.sentAt = undefined
    },
    unsent: () => [...calls.values()].filter(({ sentAt }) => sentAt === undefined),
    isOverdue: (ms) => [...calls.values()].some(({ sentAt }) => sentAt !== undefined && clock.now() - sentAt >= ms),
  }
}
