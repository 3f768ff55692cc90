import { createDwellTimer } from './dwellTimer.ts'
import { isCovered, isFullyInView } from './elementVisibility.ts'
import { createIntersectionReports } from './intersectionReports.ts'
import { findGuardedButtons, findRequiredElements, findScrollBoxes } from './requiredVisibleElements.ts'
import { createSeenContent } from './seenContent.ts'

/**
 * The guard's state: `armed` if a press counts, or otherwise the reason why it does not. `waiting` means that a press will count
 * soon, `scroll` that some required content has not been on screen yet, and `unread` that a scrollable box has not been scrolled
 * to its end.
 */
export type Visibility = 'armed' | 'waiting' | 'scroll' | 'unread' | 'covered' | 'small' | 'hidden'

/** The subset of `Window` that the guard uses. */
export interface VisibilityGuardWindow
  extends Pick<Window, 'addEventListener' | 'removeEventListener' | 'innerWidth' | 'innerHeight' | 'parent'> {
  readonly document: Pick<
    Document,
    'visibilityState' | 'addEventListener' | 'removeEventListener' | 'hasFocus' | 'documentElement' | 'elementFromPoint'
  >
  readonly IntersectionObserver: typeof IntersectionObserver
  readonly MutationObserver: typeof MutationObserver
  readonly performance: Pick<Performance, 'now'>
  readonly setTimeout: (task: () => void, ms: number) => number
  readonly clearTimeout: (timer: number) => void
}

/** Options for `createVisibilityGuard`. */
export interface VisibilityGuardParameters {
  readonly window: VisibilityGuardWindow
  /**
   * The screen, which contains regions marked with `data-deciding` and buttons marked with `data-guarded`. Text marked with
   * `data-to-end` in these regions must be scrolled to its end if it overflows.
   */
  readonly screen: HTMLElement
  /** How long everything must be visible without interruption, in milliseconds. */
  readonly dwellMs: number
  readonly changed: (visibility: Visibility) => void
}

/** Tracks whether the required content and the buttons are visible to the user. */
export interface VisibilityGuard {
  state(): Visibility
  /** Checks the state immediately, including changes that the browser has not reported yet. */
  check(): Visibility
  /** Returns how long the guard has been armed or waiting without interruption, in milliseconds. */
  heldMs(): number
  /** Restarts the wait, optionally with a new duration. */
  restart(dwellMs?: number): void
  stop(): void
}

/** The minimum size of a readable screen, in pixels. */
const minWidth = 280
const minHeight = 320

/**
 * Watches a screen and reports when all required content and buttons have been visible for `dwellMs` without interruption.
 *
 * In a top-level window, no other page can cover or crop the screen. The guard checks the window's size, the page's focus and
 * visibility, and overlapping elements in the same document. Content that does not fit must be scrolled through once. In a frame,
 * all content must be visible at the same time, and IntersectionObserver v2 reports whether the embedding page covers, fades or
 * transforms it. Browsers do not report the embedding page's masks and clip paths to a frame, so signatures are never approved in
 * a frame (`approvalWindow/`).
 */
export function createVisibilityGuard({
  window,
  screen,
  dwellMs,
  changed,
}: VisibilityGuardParameters): VisibilityGuard {
  const { document } = window
  const view = { window, screen }
  const isFramed = window.parent !== (window as unknown)
  let visibility: Visibility = 'waiting'

  const reports = createIntersectionReports({ window, isFramed, changed: () => void look() })
  const isOnScreen = (element: Element): boolean => isFullyInView(view, element) && !reports.isReportedHidden(element)
  const seenContent = createSeenContent(view, isOnScreen)
  const dwell = createDwellTimer(window, () => void look())

  const obstacle = (): Visibility | undefined => {
    if (document.visibilityState !== 'visible') return 'hidden'
    if (!isFramed && !document.hasFocus()) return 'hidden'
    if (window.innerWidth < minWidth || window.innerHeight < minHeight) return 'small'
    const elements = findRequiredElements(screen)
    const buttons = findGuardedButtons(screen)
    const scrollBoxes = findScrollBoxes(screen)
    if ([...elements, ...buttons].some((element) => isCovered(view, element))) return 'covered'
    seenContent.record(elements, scrollBoxes)
    if (!buttons.every(isOnScreen)) return 'covered'
    if (isFramed && !elements.every(isOnScreen)) return 'covered'
    if (!isFramed && !elements.every(seenContent.hasSeen)) return 'scroll'
    return scrollBoxes.every(seenContent.hasReadToEnd) ? undefined : 'unread'
  }

  const report = (next: Visibility): void => {
    if (next === visibility) return
    visibility = next
    changed(next)
  }

  const look = (): Visibility => {
    const found = obstacle()
    if (found) {
      dwell.reset()
      report(found)
      return found
    }
    dwell.start(dwellMs)
    report(dwell.elapsedMs() >= dwellMs ? 'armed' : 'waiting')
    return visibility
  }

  const restart = (): void => {
    dwell.reset()
    look()
  }

  const observeAll = (): void => reports.observe([...findRequiredElements(screen), ...findGuardedButtons(screen)])

  /** Handles changed content, which the user has not seen yet. */
  const onMutation = (changes: readonly MutationRecord[]): void => {
    observeAll()
    const changedNodes = changes
      .map(({ target }) => target)
      .filter((target) => (target instanceof Element ? target : target.parentElement)?.closest('[data-deciding]'))
    if (changedNodes.length === 0) {
      look()
      return
    }
    seenContent.forget(changedNodes)
    restart()
  }
  const mutations = new window.MutationObserver(onMutation)
  mutations.observe(screen, { childList: true, subtree: true, characterData: true })

  const onScroll = (): void => void look()
  const interruptions = ['resize', 'blur', 'focus', 'pageshow', 'orientationchange'] as const
  const drags = ['dragenter', 'dragover', 'dragstart', 'drop', 'pointerlockchange', 'fullscreenchange'] as const
  for (const name of interruptions) window.addEventListener(name, restart)
  for (const name of drags) document.addEventListener(name, restart)
  document.addEventListener('visibilitychange', restart)
  document.addEventListener('scroll', onScroll, { capture: true, passive: true })
  observeAll()
  look()

  return {
    state: () => visibility,
    check() {
      reports.flush()
      return look()
    },
    restart(next = dwellMs) {
      dwellMs = next
      restart()
    },
    heldMs: dwell.elapsedMs,
    stop() {
      dwell.reset()
      reports.stop()
      mutations.disconnect()
      for (const name of interruptions) window.removeEventListener(name, restart)
      for (const name of drags) document.removeEventListener(name, restart)
      document.removeEventListener('visibilitychange', restart)
      document.removeEventListener('scroll', onScroll, { capture: true })
    },
  }
}
