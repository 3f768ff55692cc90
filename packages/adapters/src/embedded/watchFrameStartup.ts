import type { Clock } from '@latchkey/core/adapter'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { frameLoadTimeoutMs, frameSdkVersion } from '@latchkey/protocol/specificationConstants'

/** How long to wait for READY before notifying the user. A later READY is still accepted. */
const noticeMs = 5_000
/** How long to wait for READY after a document has loaded. Our frames send READY while they load. */
const loadedMs = 4_000
/** Our protocol versions are integers. Versions in a different format come from third-party frames and are not compared. */
const isVersion = /^\d+$/

/** The observed state of a frame that failed to start or is late. */
export interface FrameStartupFailure {
  /** The page's CSP directive that blocked the frame, if any. */
  readonly policy?: string | undefined
  /** The frame's version. Set only if the version is incompatible. */
  readonly version?: string | undefined
  /** Whether the browser has loaded a document. */
  readonly hasLoaded: boolean
}

/** Tracks the loading of a frame until it sends READY. */
export interface FrameStartup {
  /** Call this method when the browser has loaded a document. */
  loaded(): void
  /** Call this method when the frame fails to load. `policy` is the page's CSP directive that blocked the frame, if any. */
  blocked(policy: string | undefined): void
  /** Call this method when the frame sends READY. Returns whether the frame's version is compatible. */
  ready(version: string | undefined): boolean
  /** Reloads the frame if the wrong document was loaded or loading has timed out. Otherwise, keeps waiting for the frame. */
  retry(): void
  /** Throws if the frame has an incompatible version. Call this method before sending a request and before using its response. */
  assertCompatible(): void
  stop(): void
}

/**
 * Starts tracking a frame that was just mounted. The time limit for READY is `frameLoadTimeoutMs` in `@latchkey/protocol`. The
 * time limit for responses is in `channel.ts`.
 */
export function watchFrameStartup({
  clock,
  isReady,
  reload,
  failed,
  late,
  timedOut,
}: {
  readonly clock: Clock
  /** Whether the frame has sent READY. */
  isReady(): boolean
  reload(): void
  /** Called when the frame failed to load or the loaded document is not a usable frame. */
  failed(symptom: FrameStartupFailure, error: LatchkeyError): void
  /** Called after 5 seconds when the frame is late but might still load. */
  late(): void
  /** Called after 20 seconds without a document, when the requests to the frame time out. */
  timedOut(symptom: FrameStartupFailure): void
}): FrameStartup {
  let hasLoaded = false
  let since = clock.now()
  let isIncompatible = false
  let hasFailed = false
  let stopped = false
  let cancelNotice = (): void => {}

  const expectReady = (): void => {
    cancelNotice()
    const isWaiting = () => !stopped && !isReady()
    cancelNotice = clock.after(noticeMs, () => {
      if (!isWaiting()) return
      late()
      cancelNotice = clock.after(frameLoadTimeoutMs - noticeMs, () => {
        if (isWaiting()) timedOut({ hasLoaded })
      })
    })
  }

  const notStarted = (
    symptom: Omit<FrameStartupFailure, 'hasLoaded'>,
    error: LatchkeyError = failure('frame/unreachable', { afterMs: noticeMs }),
  ): void => {
    cancelNotice()
    if (stopped || (isReady() && !isIncompatible)) return
    hasFailed = true
    failed({ ...symptom, hasLoaded }, error)
  }

  expectReady()

  return {
    loaded() {
      hasLoaded = true
      cancelNotice()
      cancelNotice = clock.after(loadedMs, () => notStarted({}))
    },
    blocked: (policy) => notStarted({ policy }, policy === undefined ? failure('frame/load-failed') : undefined),
    ready(version) {
      cancelNotice()
      isIncompatible = version !== undefined && isVersion.test(version) && version !== frameSdkVersion
      if (isIncompatible) notStarted({ version })
      return !isIncompatible
    },
    retry() {
      if (isReady() && !isIncompatible) return
      if (!(hasFailed && hasLoaded) && clock.now() - since < frameLoadTimeoutMs) return
      hasFailed = false
      hasLoaded = false
      since = clock.now()
      reload()
      expectReady()
    },
    assertCompatible() {
      if (isIncompatible) throw failure('frame/unreachable', { afterMs: noticeMs })
    },
    stop() {
      stopped = true
      cancelNotice()
    },
  }
}
