import type { Clock } from '@latchkey/protocol/clock'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Publication } from '@latchkey/protocol/relay'
import type { Method } from './protocolMethods.ts'

/** The result of a request, and the public key of the response's sender if its envelope includes one. */
export interface RpcResponse {
  readonly result: unknown
  readonly sender?: Uint8Array | undefined
}

/** A request that was sent to another peer. */
export interface SentRequest {
  /** Rejects with the peer's error, with `request/timeout`, or with `request/aborted`. */
  readonly response: Promise<RpcResponse>
  reject(error: Error): void
  /** Stores the publication that the relay accepted, so that it can be published again after a reconnect. */
  published(publication: Publication): void
}

/** The client's requests that have not been answered yet. */
export interface SentRequests {
  add(
    id: number,
    request: {
      /** The topic on which the response is expected. */
      readonly topic: string
      readonly method: Method
      readonly timeoutMs: number
      readonly signal?: AbortSignal | undefined
    },
  ): SentRequest
  /** Settles the request with this ID, if it expects its response on `topic`. */
  settle(id: number, topic: string, response: Error | RpcResponse): void
  /** Rejects every request, or those that expect their response on `topic`. */
  rejectAll(error: Error, topic?: string): void
  /** Returns the publications that may have been lost with a relay connection. */
  publications(): readonly Publication[]
}

interface Entry {
  readonly topic: string
  publication?: Publication
  settle(response: Error | RpcResponse): void
}

/** Creates an empty list of sent requests. Timeouts use `clock`. */
export function createSentRequests(clock: Clock): SentRequests {
  const entries = new Map<number, Entry>()
  return {
    add(id, { topic, method, timeoutMs, signal }) {
      let resolve: (response: RpcResponse) => void
      let reject: (error: Error) => void
      const response = new Promise<RpcResponse>((onResult, onError) => {
        resolve = onResult
        reject = onError
      })
      const cancel = clock.after(timeoutMs, () =>
        entry.settle(new LatchkeyError('request/timeout', { request: method, afterMs: timeoutMs })),
      )
      const abort = (): void => entry.settle(new LatchkeyError('request/aborted'))
      const entry: Entry = {
        topic,
        settle(outcome) {
          if (!entries.delete(id)) return
          cancel()
          signal?.removeEventListener('abort', abort)
          if (outcome instanceof Error) reject(outcome)
          else resolve(outcome)
        },
      }
      entries.set(id, entry)
      signal?.addEventListener('abort', abort)
      return {
        response,
        reject: entry.settle,
        published(publication) {
          entry.publication = publication
        },
      }
    },
    settle(id, topic, response) {
      const entry = entries.get(id)
      if (entry?.topic === topic) entry.settle(response)
    },
    rejectAll(error, topic) {
      for (const entry of [...entries.values()]) if (topic === undefined || entry.topic === topic) entry.settle(error)
    },
    publications: () => [...entries.values()].flatMap(({ publication }) => publication ?? []),
  }
}
