import type { Clock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'

/** What can expire: a request by its id, or a pairing or session by its topic. */
export type ExpiryTarget = `id:${number}` | `topic:${string}`

/** Longer than this a timer would fire at once (2^31 ms is 24.8 days). */
const longestMs = 20 * 86_400_000

/** Says when things are over. */
export interface Expirer {
  /** Calls `over` at `expiry`, in Unix seconds; a later call for the same target replaces the earlier one. */
  set(target: ExpiryTarget, expiry: number, over: () => void): void
  remove(target: ExpiryTarget): void
}

/** `text` as a target; throws with the forms that there are. */
export function expiryTarget(text: string): ExpiryTarget {
  const [kind, value, ...rest] = text.split(':')
  const isTarget =
    rest.length === 0 && ((kind === 'id' && /^[1-9]\d{0,15}$/.test(value ?? '')) || (kind === 'topic' && value))
  if (!isTarget) throw failure('relay/invalid-target', { target: text })
  return text as ExpiryTarget
}

/** An expirer by `clock`. */
export function createExpirer(clock: Clock): Expirer {
  const cancels = new Map<ExpiryTarget, () => void>()
  const remove = (target: ExpiryTarget): void => {
    cancels.get(target)?.()
    cancels.delete(target)
  }
  const set = (given: ExpiryTarget, expiry: number, over: () => void): void => {
    const target = expiryTarget(given)
    remove(target)
    const left = Math.max(0, expiry * 1000 - clock.now())
    const wake = (): void => {
      cancels.delete(target)
      if (left > longestMs) set(target, expiry, over)
      else over()
    }
    cancels.set(target, clock.after(Math.min(left, longestMs), wake))
  }
  return { set, remove }
}
