import type { AddressGroup } from '../clientAddress.ts'
import { AuthError, type RelayClient } from './authenticator.ts'
import type { SharedConnectionCounts } from './redisConnectionCounts.ts'

/** Counts one connection across all instances, from authentication until it closes. */
export interface ConnectionCount {
  /** Counts this client's connection. Rejects with an AuthError if its network has too many. */
  open(client: RelayClient): Promise<RelayClient>
  /** Subtracts the connection, once it is counted. */
  close(): void
}

/** Creates the counter for one connection. Without shared counts, nothing is counted. */
export function createConnectionCount(counts: SharedConnectionCounts | undefined): ConnectionCount {
  let countedGroups: readonly AddressGroup[] = []
  let isClosed = false
  return {
    async open(client) {
      if (!counts) return client
      if (!(await counts.open(client.groups))) throw new AuthError('TooManyRequests', 'Too many connections')
      if (isClosed) counts.close(client.groups)
      else countedGroups = client.groups
      return client
    },
    close() {
      isClosed = true
      counts?.close(countedGroups)
      countedGroups = []
    },
  }
}
