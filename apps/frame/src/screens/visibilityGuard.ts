/**
 * The state of the guard: `armed` if a press counts, otherwise why not. `waiting`: it will soon. `scroll`: some decisive content was not
 * on screen yet. `unread`: a scrollable box was not scrolled to its end.
 */
export type Visibility = 'armed' | 'waiting' | 'scroll' | 'unread' | 'covered' | 'small' | 'hidden'

/** The part of the `Window` interface that the guard uses. */
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

/** Options of a visibility guard. */
export interface VisibilityGuardParameters {
  readonly window: VisibilityGuardWindow
  /**
   * The screen, which contains regions marked with `data-deciding` and buttons marked with `data-guarded`. Text in the regions that is
   * marked with `data-to-end` must be scrolled to its end if it overflows.
   */
  readonly screen: HTMLElement
  /** How long everything must be visible without interruption, in milliseconds. */
  readonly dwellMs: number
  readonly changed: (visibility: Visibility) => void
}

/** Tracks whether the decisive content and both buttons are visible to the user. */
export interface VisibilityGuard {
  state(): Visibility
  /** Checks again immediately, including changes that the browser has not reported yet. */
  check(): Visibility
  /** How long it has been armed or waiting without interruption, in milliseconds. */
  heldMs(): number
  /** Restarts the wait, optionally with a new duration. */
  restart(dwellMs?: number): void
  stop(): void
}

/** Minimum size of a readable screen, in pixels. */
const minWidth = 280
const minHeight = 320
/** The points at which an element is hit-tested, as fractions of its width and height: its center, and near its corners. */
const hitPoints = [
  [0.5, 0.5],
  [0.05, 0.1],
  [0.95, 0.1],
  [0.05, 0.9],
  [0.95, 0.9],
] as const

/**
 * Watches a screen until all decisive content and both buttons have been fully visible for `dwellMs` without interruption.
 *
 * In a top-level window no other page can cover or crop the screen, so the viewport, focus, page visibility and overlapping elements of
 * the same document are checked. Content that does not fit must be scrolled through once. In a frame, everything must be visible at the
 * same time, and IntersectionObserver v2 reports whether the embedding page covers, fades or transforms it. No browser reports masks and
 * clip paths of the embedding page to a frame, so signatures are never approved in a frame (`approvalWindow/`).
 */
export function createVisibilityGuard({
  window,
  screen,
  dwellMs,
  changed,
}: VisibilityGuardParameters): VisibilityGuard {
  const { document } = window
  const isFramed = window.parent !== (window as unknown)
  /** The last reported visibility of each observed element. */
  const reported = new Map<Element, boolean>()
  /** Elements that were fully on screen at some time; for elements taller than the screen, both ends. */
  const seen = new Set<Element>()
  /** Boxes that were scrolled to their end at some time. */
  const read = new Set<Element>()
  const seenEnds = new Map<Element, { top: boolean; bottom: boolean }>()
  let visibility: Visibility = 'waiting'
  let timer: number | undefined
  let since: number | undefined

  const facts = (): Element[] =>
    [...screen.querySelectorAll('.screen-head, [data-deciding]')].flatMap((region) =>
      region.matches('.screen-head') ? [region] : blocksOf(region),
    )
  const boxes = (): Element[] => [...screen.querySelectorAll('[data-deciding] [data-to-end]')]
  const buttons = (): Element[] => [...screen.querySelectorAll('[data-guarded]')]

  /** The lower edge of the visible area: content scrolls below the fixed footer. */
  const floorFor = (element: Element): number => {
    const footer = screen.querySelector('.screen-foot')
    return footer && !footer.contains(element)
      ? Math.min(window.innerHeight, footer.getBoundingClientRect().top)
      : window.innerHeight
  }

  const isOnScreen = (element: Element): boolean => {
    if (element.matches('details[data-whole]:not([open])')) return false
    const box = element.getBoundingClientRect()
    const isWhole =
      box.width > 0 &&
      box.height > 0 &&
      box.top >= -1 &&
      box.bottom <= floorFor(element) + 1 &&
      box.left >= -1 &&
      box.right <= window.innerWidth + 1
    return isWhole && reported.get(element) !== false
  }

  /** Whether an element outside of the screen, such as a loading indicator, overlaps `element`. */
  const isCovered = (element: Element): boolean => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return hitPoints.some(([across, down]) => {
      // Outside of the viewport, `elementFromPoint` returns null.
      const hit = document.elementFromPoint(left + width * across, top + height * down)
      return hit !== null && !screen.contains(hit) && !hit.contains(element)
    })
  }

  const remember = (element: Element): void => {
    if (seen.has(element)) return
    if (isOnScreen(element)) {
      seen.add(element)
      return
    }
    const box = element.getBoundingClientRect()
    const floor = floorFor(element)
    if (box.height <= floor) return
    const ends = seenEnds.get(element) ?? { top: false, bottom: false }
    if (box.top >= -1 && box.top < floor) ends.top = true
    if (box.bottom > 0 && box.bottom <= floor + 1) ends.bottom = true
    seenEnds.set(element, ends)
    if (ends.top && ends.bottom) seen.add(element)
  }

  /** Whether a box is scrolled to its end, and that end is on screen. */
  const isAtEnd = (box: Element): boolean => {
    const { bottom, height } = box.getBoundingClientRect()
    const isShown = height > 0 && bottom > 0 && bottom <= floorFor(box) + 1
    return isShown && box.scrollTop + box.clientHeight >= box.scrollHeight - 2
  }

  const obstacle = (): Visibility | undefined => {
    if (document.visibilityState !== 'visible') return 'hidden'
    if (!isFramed && !document.hasFocus()) return 'hidden'
    if (window.innerWidth < minWidth || window.innerHeight < minHeight) return 'small'
    const all = facts()
    if ([...all, ...buttons()].some(isCovered)) return 'covered'
    for (const element of all) remember(element)
    for (const box of boxes()) if (isAtEnd(box)) read.add(box)
    if (!buttons().every(isOnScreen)) return 'covered'
    if (isFramed && !all.every(isOnScreen)) return 'covered'
    if (!isFramed && !all.every((element) => seen.has(element))) return 'scroll'
    return boxes().every((box) => read.has(box)) ? undefined : 'unread'
  }

  const say = (next: Visibility): void => {
    if (next === visibility) return
    visibility = next
    changed(next)
  }

  const begin = (): void => {
    if (timer !== undefined) window.clearTimeout(timer)
    since = window.performance.now()
    timer = window.setTimeout(() => {
      timer = undefined
      look()
    }, dwellMs)
  }

  const end = (): void => {
    if (timer !== undefined) window.clearTimeout(timer)
    timer = undefined
    since = undefined
  }

  const look = (): Visibility => {
    const found = obstacle()
    if (found) {
      end()
      say(found)
      return found
    }
    if (since === undefined) begin()
    say(window.performance.now() - (since ?? 0) >= dwellMs ? 'armed' : 'waiting')
    return visibility
  }

  const restart = (): void => {
    end()
    look()
  }

  // TypeScript's DOM types do not include version 2 yet.
  const options = { threshold: [0, 0.5, 0.99, 1], trackVisibility: true, delay: 100 } as IntersectionObserverInit
  const take = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const entry of entries) {
      const { isVisible } = entry as IntersectionObserverEntry & { readonly isVisible?: boolean }
      // In a top-level window, the position is checked separately, and no other page can cover the screen.
      reported.set(entry.target, !isFramed || (entry.intersectionRatio >= 0.99 && isVisible !== false))
    }
  }
  const observer = new window.IntersectionObserver((entries) => {
    take(entries)
    look()
  }, options)

  const observeAll = (): void => {
    const wanted = new Set([...facts(), ...buttons()])
    for (const element of reported.keys()) {
      if (wanted.has(element)) continue
      observer.unobserve(element)
      reported.delete(element)
    }
    for (const element of wanted) {
      if (reported.has(element)) continue
      // In a frame, not visible until the browser reports it.
      reported.set(element, !isFramed)
      observer.observe(element)
    }
  }

  /** Handles changed content, which the user has not seen yet. */
  const rewritten = (changes: readonly MutationRecord[]): void => {
    observeAll()
    const changed = changes
      .map(({ target }) => target)
      .filter((target) => (target instanceof Element ? target : target.parentElement)?.closest('[data-deciding]'))
    if (changed.length === 0) {
      look()
      return
    }
    for (const element of [...seen, ...seenEnds.keys(), ...read]) {
      if (changed.every((target) => !element.contains(target))) continue
      seen.delete(element)
      seenEnds.delete(element)
      read.delete(element)
    }
    restart()
  }
  const mutations = new window.MutationObserver(rewritten)
  mutations.observe(screen, { childList: true, subtree: true, characterData: true })

  const onLook = (): void => void look()
  const interruptions = ['resize', 'blur', 'focus', 'pageshow', 'orientationchange'] as const
  const drags = ['dragenter', 'dragover', 'dragstart', 'drop', 'pointerlockchange', 'fullscreenchange'] as const
  for (const name of interruptions) window.addEventListener(name, restart)
  for (const name of drags) document.addEventListener(name, restart)
  document.addEventListener('visibilitychange', restart)
  document.addEventListener('scroll', onLook, { capture: true, passive: true })
  observeAll()
  look()

  return {
    state: () => visibility,
    check() {
      take(observer.takeRecords())
      return look()
    },
    restart(next = dwellMs) {
      dwellMs = next
      restart()
    },
    heldMs: () => (since === undefined ? 0 : window.performance.now() - since),
    stop() {
      end()
      observer.disconnect()
      mutations.disconnect()
      for (const name of interruptions) window.removeEventListener(name, restart)
      for (const name of drags) document.removeEventListener(name, restart)
      document.removeEventListener('visibilitychange', restart)
      document.removeEventListener('scroll', onLook, { capture: true })
    },
  }
}

/** The blocks of a region that must each be fully on screen: facts, notices and texts. */
function blocksOf(region: Element): readonly Element[] {
  return [...region.children].flatMap((child): readonly Element[] => {
    if (child.getClientRects().length === 0) return []
    if (child.matches('.facts')) return [...child.children]
    if (child.matches('section')) return blocksOf(child)
    // Collapsed details are optional, so only their summary must be visible. If marked with `data-whole`, all of it must be visible.
    if (child.matches('details[data-whole]')) return [child]
    if (child.matches('details')) return [child.querySelector('summary') ?? child]
    return [child]
  })
}
