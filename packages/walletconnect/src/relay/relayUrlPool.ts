import type { Clock } from '@latchkey/protocol/clock'

/** The cooldown of an address after its first failure. Each further failure doubles the cooldown. */
const cooldownMs = 1_000
/** The maximum cooldown of an address. */
const maxCooldownMs = 60_000

/** The addresses of a relay network in order of preference, with a cooldown for addresses that have failed. */
export interface RelayUrlPool {
  /** The address that was selected last. */
  readonly current: string
  /** Whether there is more than one address. */
  readonly hasSeveral: boolean
  /**
   * Selects the first address that is not in cooldown. If every address is in cooldown, selects the one whose cooldown ends
   * first. `hasAlternative` indicates whether another address is available.
   */
  select(): { readonly address: string; readonly hasAlternative: boolean }
  /** Resets the failure count of the current address. */
  succeeded(): void
  /** Starts a cooldown for the current address. If the address is rate-limited, the cooldown has the maximum length. */
  failed(options: { readonly rateLimited: boolean }): void
}

/** Creates a pool in which every address is available. */
export function createRelayUrlPool(addresses: readonly [string, ...string[]], clock: Clock): RelayUrlPool {
  const entries = addresses.map((address) => ({ address, failures: 0, coolsUntil: 0 }))
  let current = entries[0] as (typeof entries)[number]
  return {
    get current() {
      return current.address
    },
    hasSeveral: entries.length > 1,
    select() {
      const available = entries.filter(({ coolsUntil }) => coolsUntil <= clock.now())
      current = available[0] ?? entries.reduce((best, entry) => (entry.coolsUntil < best.coolsUntil ? entry : best))
      return { address: current.address, hasAlternative: available.length > 1 }
    },
    succeeded() {
      current.failures = 0
    },
    failed({ rateLimited }) {
      current.coolsUntil =
        clock.now() + (rateLimited ? maxCooldownMs : Math.min(maxCooldownMs, cooldownMs * 2 ** current.failures))
      current.failures++
    },
  }
}
