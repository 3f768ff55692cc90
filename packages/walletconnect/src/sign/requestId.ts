import type { Clock } from '@latchkey/protocol/clock'
import type { Primitives } from '../crypto/primitiveTypes.ts'

/** The maximum clock difference between the peers, in seconds. */
const maxClockSkew = 3_600

/**
 * Returns a function that creates JSON-RPC request IDs. An ID is the time in microseconds with random last digits, and is higher
 * than the previous ID.
 */
export function requestIds(crypto: Primitives, clock: Clock): () => number {
  let lastId = 0
  return () => {
    const random = new DataView(crypto.random(2).buffer).getUint16(0) % 1000
    lastId = Math.max(clock.now() * 1000 + random, lastId + 1)
    return lastId
  }
}

/** Returns when a request was created, in Unix seconds, or `undefined` if its ID does not contain the time in microseconds. */
export function createdAt(id: number): number | undefined {
  return id >= 1e15 ? Math.floor(id / 1e6) : undefined
}

/**
 * Whether a request has exceeded its TTL (in seconds). A relay that follows the protocol would already have dropped the request.
 */
export function isExpired(id: number, ttl: number, clock: Clock): boolean {
  const created = createdAt(id)
  return created !== undefined && created + ttl + maxClockSkew < Math.floor(clock.now() / 1000)
}
