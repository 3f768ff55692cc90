import { ipAddressGroups } from '../../ipAddresses/ipAddressGroups.ts'
import type { RateLimiter } from '../../serverDependencies.ts'
import type { Digest } from '../../storage/secretDigests.ts'
import { KeysError } from '../keysError.ts'

/** Counts requests against the rate limits of an address and its networks. Rejects when a limit is exceeded. */
export type IpRateLimit = (address: string | undefined, count: number) => Promise<void>

/** Creates a rate limit for the keys origin. `perAddress` is per minute; 0 disables it. Each `name` has its own counters. */
export function createIpRateLimit({
  name: limitName,
  rateLimiter,
  perAddress,
  digest,
}: {
  name: string
  rateLimiter: RateLimiter
  perAddress: number
  digest: Digest
}): IpRateLimit {
  return async (address, count) => {
    if (perAddress === 0) return
    for (const { name, share } of [...ipAddressGroups(address)].reverse()) {
      const seconds = await rateLimiter.take(`${limitName} ${digest('rate', name)}`, perAddress * share, count)
      if (seconds > 0) throw new KeysError('limit/reached', 'Too many requests from this address', { seconds })
    }
  }
}
