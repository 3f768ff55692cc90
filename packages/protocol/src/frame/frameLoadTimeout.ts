import { failure, frameReports } from '../errors/errorMessages.ts'
import type { LatchkeyError } from '../latchkeyError.ts'
import type { ChannelClock, StartFrameLoadTimeout } from './frameReadiness.ts'

/** Creates the timeout for a frame that has not sent READY. When it expires, `report` is called with `iframe_load_failed`. */
export function createFrameLoadTimeout({
  clock,
  loadTimeoutMs,
  report,
}: {
  readonly clock: ChannelClock
  readonly loadTimeoutMs: number
  readonly report: ((name: (typeof frameReports)['frame/unreachable'], error: LatchkeyError) => void) | undefined
}): StartFrameLoadTimeout {
  return (expired) =>
    clock.after(loadTimeoutMs, () => {
      const error = failure('frame/unreachable', { afterMs: loadTimeoutMs })
      report?.(frameReports['frame/unreachable'], error)
      expired(error)
    })
}
