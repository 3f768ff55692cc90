import type { AddressGroup } from './clientAddress.ts'

/**
 * What clients hold in the memory of this process, of every kind together, by groups of their addresses: bodies and answers of
 * requests, calls of the relay that come in, its messages that wait to be read, and those that wait for who comes later.
 */
export interface MemoryQuota {
  /** Counts `bytes` more for each of these groups; negative to give back. */
  add(groups: readonly AddressGroup[], bytes: number): void
  /** The position of a group for which `bytes` more are too much, or are so already; -1 where there is none. */
  exceeded(groups: readonly AddressGroup[], bytes?: number): number
}

/** Counts for one process. One address may hold `perAddress`; a group of addresses its share of it. `pressed` hears of each that has no room. */
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
