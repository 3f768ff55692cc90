import type { IpAddressGroup } from '../ipAddresses/ipAddressGroups.ts'

/**
 * Counts the memory in this process that clients use, per address group. All kinds of use count toward one limit: request and
 * response bodies, incoming relay calls, relay messages in send buffers, and stored messages.
 */
export interface MemoryQuota {
  /** Adds `bytes` to each group. A negative number releases bytes. */
  add(groups: readonly IpAddressGroup[], bytes: number): void
  /** Returns the index of the first group that would exceed its limit after adding `bytes`, or -1 if there is none. */
  exceeded(groups: readonly IpAddressGroup[], bytes?: number): number
}

/**
 * Creates a quota for this process. `perAddress` is the limit for one address, in bytes. The limit for an address group is this
 * number multiplied by the group's share. Calls `onExceeded` each time `exceeded` finds a group that would exceed its limit.
 */
export function createMemoryQuota(perAddress: number, onExceeded: () => void = () => {}): MemoryQuota {
  const held = new Map<string, number>()
  const of = (name: string): number => held.get(name) ?? 0
  return {
    add(groups, bytes) {
      for (const { name } of groups) {
        const now = of(name) + bytes
        if (now > 0) held.set(name, now)
        else held.delete(name)
      }
    },
    exceeded(groups, bytes = 0) {
      const found = groups.findIndex(({ name, share }) => of(name) + bytes > perAddress * share)
      if (found >= 0) onExceeded()
      return found
    },
  }
}
