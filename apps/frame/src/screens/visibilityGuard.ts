/**
 * Why a press does not count yet. `waiting`: it will in a moment. `scroll`: some of what decides was not on screen yet. `unread`: a box that
 * scrolls by itself was not scrolled to its end.
 */
export type Visibility = 'armed' | 'waiting' | 'scroll' | 'unread' | 'covered' | 'small' | 'hidden'

/** The parts of the browser that tell what a person sees. */
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

/** What is guarded. */
export interface VisibilityGuardParameters {
  readonly window: VisibilityGuardWindow
  /**
   * The screen, which holds the regions marked with `data-deciding` and the buttons marked with `data-guarded`. A text in them that is marked
   * with `data-to-end` has to be scrolled to its end, where there is more of it than can be seen.
   */
  readonly screen: HTMLElement
  /** For so long everything must have been visible without a break. */
  readonly dwellMs: number
  readonly changed: (visibility: Visibility) => void
}

/** Tells whether a person sees what decides, and both buttons. */
export interface VisibilityGuard {
  state(): Visibility
  /** Looks again, now: what has changed since the browser last reported counts at once. */
  check(): Visibility
  /** For how long it has been armed or waiting to be, without a break. */
  heldMs(): number
  /** The wait begins anew, and from now on takes so long. */
  restart(dwellMs?: number): void
  stop(): void
}

/** A screen smaller than this cannot be read. */
const minWidth = 280
const minHeight = 320
/** Where an element is looked for, as parts of its width and height: its middle, and near its corners. */
const hitPoints = [
  [0.5, 0.5],
  [0.05, 0.1],
  [0.95, 0.1],
  [0.05, 0.9],
  [0.95, 0.9],
] as const

/**
 * Watches a screen until what decides and both buttons have been visible, whole, for `dwellMs` without a break.
 *
 * In a window of our own no other page can cover or crop it, so the viewport, focus and page visibility decide, and whether something of
 * this very document lies over it; what does not fit has to be scrolled through once. In a frame everything must be visible at the same
 * time, and the browser is asked whether the page around it covers, fades or transforms it (IntersectionObserver v2). No browser tells a
 * frame about masks and clip paths of the page around it: signatures are therefore never approved in a frame (`approvalWindow/`).
 */
export function createVisibilityGuard({
  window,
  screen,
  dwellMs,
  changed,
}: VisibilityGuardParameters): VisibilityGuard {
  const { document } = window
  const isFramed = window.parent !== (window as unknown)
  /** What the browser last said of each element that has to be seen. */
  const reported = new Map<Element, boolean>()
  /** What was whole on screen at some time; of what is taller than the screen, both ends. */
  const seen = new Set<Element>()
  /** Boxes whose end was on screen at some time. */
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

  /** The lower edge of what can be seen: the footer stays in sight while the rest scrolls below it. */
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

  /** Whether something outside of the screen, such as a sign that it is still loading, lies over what is to be seen of `element`. */
  const isCovered = (element: Element): boolean => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return hitPoints.some(([across, down]) => {
      // Outside of the viewport nothing is hit.
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

  /** Whether the end of a box is in sight in the box, and that end of the box on screen. */
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

  // TypeScript's library does not know version 2 yet.
  const options = { threshold: [0, 0.5, 0.99, 1], trackVisibility: true, delay: 100 } as IntersectionObserverInit
  const take = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const entry of entries) {
      const { isVisible } = entry as IntersectionObserverEntry & { readonly isVisible?: boolean }
      // In a window of our own, what is below the edge is told by its place, and nothing can cover it.
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
      // Not visible before the browser has said so.
      reported.set(element, !isFramed)
      observer.observe(element)
    }
  }

  /** What a screen says has changed: whoever looked at that before has not seen this. */
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

/** The pieces of a region, each of which has to be whole on screen: its facts, notices and texts, each by itself. */
function blocksOf(region: Element): readonly Element[] {
  return [...region.children].flatMap((child): readonly Element[] => {
    if (child.getClientRects().length === 0) return []
    if (child.matches('.facts')) return [...child.children]
    if (child.matches('section')) return blocksOf(child)
    // What folds is a detail: that it is there has to be seen. One that is all there is to see is marked, and has to be seen whole.
    if (child.matches('details[data-whole]')) return [child]
    if (child.matches('details')) return [child.querySelector('summary') ?? child]
    return [child]
  })
}
