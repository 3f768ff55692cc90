import type { Clock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { emailThrottleMs } from '@latchkey/protocol/specificationConstants'
import type { LoginRecords } from '../adapter.ts'

/** Limits how often an email can be requested, even if the page is reloaded. */
export interface EmailThrottle {
  /** Returns when another email can be requested, in epoch milliseconds, or `undefined` if one can be requested now. */
  resendAt(): number | undefined
  /** Returns the number of seconds until another email can be requested, rounded up. */
  secondsToWait(): number
  /** Throws if an email cannot be requested yet. */
  check(): void
  /** Records that an email was sent. */
  sent(): void
  /** Allows another email immediately. */
  clear(): void
  /** Reports the value of `resendAt` now, and again when another email can be requested. */
  update(): void
  stop(): void
}

/** Creates the throttle. Calls `changed` with each new value of `resendAt`. */
export function createEmailThrottle(dependencies: {
  readonly lastSent: LoginRecords['lastEmailLoginTime']
  readonly clock: Clock
  changed(resendAt: number | undefined): void
}): EmailThrottle {
  const { lastSent, clock, changed } = dependencies
  let cancel = () => {}

  const resendAt = (): number | undefined => {
    const last = lastSent.get()
    const now = clock.now()
    // Ignore timestamps in the future.
    return last === undefined || last > now || now - last >= emailThrottleMs ? undefined : last + emailThrottleMs
  }
  const secondsToWait = (): number => {
    const at = resendAt()
    return at === undefined ? 0 : Math.ceil((at - clock.now()) / 1000)
  }
  const update = (): void => {
    cancel()
    const at = resendAt()
    changed(at)
    if (at !== undefined) cancel = clock.after(at - clock.now(), update)
  }

  return {
    resendAt,
    secondsToWait,
    check() {
      const seconds = secondsToWait()
      if (seconds > 0) throw failure('email/throttled', { seconds })
    },
    sent() {
      lastSent.set(clock.now())
      update()
    },
    clear() {
      lastSent.clear()
      update()
    },
    update,
    stop: () => cancel(),
  }
}
