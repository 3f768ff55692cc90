import type { Clock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { createExpirer } from './expirer.ts'
import type { Method } from './protocolMethods.ts'
import { rpcError } from './rpcError.ts'
import type { Metadata, Proposal } from './schemas.ts'

/** The maximum number of pending requests per pairing. */
const maxPendingPerPairing = 20
/** The lifetime of a request without an expiry, in seconds. */
const defaultTtl = 300

/** A proposal or sign-in request from a dapp that the user has not answered yet. */
export interface PairingRequest {
  /** The pairing topic. */
  readonly topic: string
  readonly method: Method
  readonly proposal?: Proposal
  readonly requester?: { readonly publicKey: string; readonly metadata: Metadata }
}

/** A wallet's pending requests from all pairings, keyed by request ID. */
export interface PairingRequests {
  get(id: number): PairingRequest | undefined
  /**
   * Adds a request, which is withdrawn at `expiry` (Unix seconds). Returns `false` if it is a duplicate.
   * @throws an RPC error if another pairing has a request with this ID, or if the pairing has too many pending requests.
   */
  add(id: number, request: PairingRequest, expiry: number | undefined): boolean
  /**
   * Removes and returns a request that the wallet is about to answer.
   * @throws `pairing/expired` if the request is not pending, for example because it has expired.
   */
  take(id: number): PairingRequest
  /** Withdraws the remaining requests of a pairing. */
  withdrawAll(topic: string): void
}

/** Creates an empty list of requests. Calls `onWithdrawn` for each request that ends without an answer. */
export function createPairingRequests(
  clock: Clock,
  onWithdrawn: (request: { readonly id: number; readonly topic: string }) => void,
): PairingRequests {
  const pending = new Map<number, PairingRequest>()
  const expirer = createExpirer(clock)

  const remove = (id: number): void => {
    pending.delete(id)
    expirer.remove(`id:${id}`)
  }

  const withdraw = (id: number, { topic }: PairingRequest): void => {
    // A listener may already have answered the request.
    if (!pending.has(id)) return
    remove(id)
    onWithdrawn({ id, topic })
  }

  return {
    get: (id) => pending.get(id),
    add(id, request, expiry) {
      const { topic } = request
      const existing = pending.get(id)
      if (existing?.topic === topic) return false
      // Responses are matched by ID, and the page chooses the IDs. A request cannot reuse the ID of a pending request. Otherwise,
      // another pairing could replace the request that the user is approving.
      if (existing) throw rpcError('requestExpired')
      const others = [...pending.values()].filter((entry) => entry.topic === topic)
      if (others.length >= maxPendingPerPairing) throw rpcError('requestExpired')
      pending.set(id, request)
      const expiresAt = expiry ?? Math.floor(clock.now() / 1000) + defaultTtl
      expirer.set(`id:${id}`, expiresAt, () => withdraw(id, request))
      return true
    },
    take(id) {
      const request = pending.get(id)
      if (!request) throw failure('pairing/expired')
      remove(id)
      return request
    },
    withdrawAll(topic) {
      for (const [id, request] of [...pending]) if (request.topic === topic) withdraw(id, request)
    },
  }
}
