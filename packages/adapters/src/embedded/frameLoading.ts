import type { Clock } from '@latchkey/core/adapter'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { frameLoadTimeoutMs, frameSdkVersion } from '@latchkey/protocol/specificationConstants'

/** Timeout for READY before the user and the developer are notified. A later READY is still accepted. */
const noticeMs = 5_000
/** Timeout for READY after the frame has loaded. Our frames send READY while loading. */
const loadedMs = 4_000
/** Our protocol versions are integers. Other version formats of plain frames are not compared. */
const isVersion = /^\d+$/

/** The observed state of a frame that did not start. */
export interface LoadSymptom {
  /** The page's CSP directive that blocked the frame. */
  readonly policy?: string | undefined
  /** The incompatible version of the frame. */
  readonly version?: string | undefined
  /** Whether the browser has loaded a document. */
  readonly hasLoaded: boolean
}

/** Tracks the loading of a frame until it sends READY. */
export interface FrameLoading {
  /** The browser has loaded a document. */
  loaded(): void
  /** The browser did not load the frame. `policy` is the page's CSP directive that blocked it, if any. */
  blocked(policy: string | undefined): void
  /** The frame sent READY. Returns whether its version is compatible. */
  ready(version: string | undefined): boolean
  /** Reloads the frame if the wrong document was loaded or loading has timed out. Otherwise keeps waiting for it. */
  retry(): void
  /** Throws if the frame has an incompatible version. Call it before a request and before its response is used. */
  assertCompatible(): void
  stop(): void
}

/** Starts tracking the loading of a frame that was just mounted. */
export function createFrameLoading({
  clock,
  isReady,
  reload,
  failed,
  late,
}: {
  readonly clock: Clock
  /** Whether the frame has sent READY. */
  isReady(): boolean
  reload(): void
  /** The loaded document is not a usable frame. */
  failed(symptom: LoadSymptom, error: LatchkeyError): void
  /** The frame is late but may still load. */
  late(symptom: LoadSymptom): void
}): FrameLoading {
  let hasLoaded = false
  let since = clock.now()
  let isIncompatible = false
  let hasFailed = false
  let stopped = false
  let cancelNotice = (): void => {}

  const expectReady = (): void => {
    cancelNotice()
    cancelNotice = clock.after(noticeMs, () => {
      if (!stopped && !isReady()) late({ hasLoaded })
    })
  }

  const notStarted = (
    symptom: Omit<LoadSymptom, 'hasLoaded'>,
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
