import { resendAfterMs } from '@latchkey/protocol/http/keys'

/** Returns the seconds until another email can be sent, at most 30, or 0 if it can be sent now. `sentAt` is in epoch milliseconds. */
export function secondsUntilResend(sentAt: number | undefined, now: number): number {
  // Capped at the full cooldown, because the difference is larger if the clock has been set back.
  const left = sentAt === undefined ? 0 : Math.min(resendAfterMs, sentAt + resendAfterMs - now)
  return Math.max(0, Math.ceil(left / 1000))
}
