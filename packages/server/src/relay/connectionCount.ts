import type { IpAddressGroup } from '../ipAddresses/ipAddressGroups.ts'
import { AuthError, type RelayClient } from './authenticator.ts'
import type { SharedConnectionCounts } from './redis/redisConnectionCounts.ts'

/** One connection's entry in the counts across all instances, from authentication until the connection closes. */
export interface ConnectionCount {
  /** Counts the client's connection. Rejects with an `AuthError` if the client's network has too many connections. */
  open(client: RelayClient): Promise<RelayClient>
  /** Subtracts the connection. If it is still being counted, subtracts it afterwards. */
  close(): void
}

/** Creates the entry for one connection. If `counts` is `undefined`, connections are not counted. */
export function createConnectionCount(counts: SharedConnectionCounts | undefined): ConnectionCount {
  let countedGroups: readonly IpAddressGroup[] = []
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
