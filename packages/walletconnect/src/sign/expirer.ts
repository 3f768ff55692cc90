import type { Clock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'

/** The target of an expiry: a request by its ID, or a pairing or session by its topic. */
export type ExpiryTarget = `id:${number}` | `topic:${string}`

/** The maximum duration of a timer. Timers longer than 2^31 ms (24.8 days) fire immediately. */
const maxTimerMs = 20 * 86_400_000

/** A set of timers that call back when a request, pairing or session expires. */
export interface Expirer {
  /** Calls `onExpired` at `expiry` (Unix seconds). Replaces the callback that was set earlier for the same target. */
  set(target: ExpiryTarget, expiry: number, onExpired: () => void): void
  remove(target: ExpiryTarget): void
}

/**
 * Validates an expiry target.
 * @throws `relay/invalid-target` if `text` is not a valid target.
 */
export function expiryTarget(text: string): ExpiryTarget {
  const [kind, value, ...rest] = text.split(':')
  const isTarget =
    rest.length === 0 && ((kind === 'id' && /^[1-9]\d{0,15}$/.test(value ?? '')) || (kind === 'topic' && value))
  if (!isTarget) throw failure('relay/invalid-target', { target: text })
  return text as ExpiryTarget
}

/** Creates an expirer that uses `clock`. */
export function createExpirer(clock: Clock): Expirer {
  const cancels = new Map<ExpiryTarget, () => void>()
  const remove = (target: ExpiryTarget): void => {
    cancels.get(target)?.()
    cancels.delete(target)
  }
  const set = (key: ExpiryTarget, expiry: number, onExpired: () => void): void => {
    const target = expiryTarget(key)
    remove(target)
    const remainingMs = Math.max(0, expiry * 1000 - clock.now())
    const wake = (): void => {
      cancels.delete(target)
      if (remainingMs > maxTimerMs) set(target, expiry, onExpired)
      else onExpired()
    }
    cancels.set(target, clock.after(Math.min(remainingMs, maxTimerMs), wake))
  }
  return { set, remove }
}
