/** Why a press does not count yet. `waiting`: it will in a moment. */
export type Sight = 'armed' | 'waiting' | 'covered' | 'small' | 'hidden'

/** The parts of the browser that tell whether a person really sees the button. */
export interface SightNeeds {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'innerWidth' | 'innerHeight'> & {
    readonly document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
    readonly IntersectionObserver: typeof IntersectionObserver
  }
  readonly setTimeout: (task: () => void, ms: number) => number
  readonly clearTimeout: (timer: number) => void
}

/** Looks whether a button is seen. */
export interface SightWatch {
  now(): Sight
  /** The pointer is here, in the window's and in the screen's measure: when the two drift apart, the frame was moved. */
  pointerAt(at: {
    readonly type?: string
    readonly pointerType?: string
    readonly clientX: number
    readonly clientY: number
    readonly screenX: number
    readonly screenY: number
  }): void
  stop(): void
}

/** For so long the button must have been seen, whole and uncovered, before a press counts. */
export const dwellMs = 600
const leastWidth = 280
const leastHeight = 320

/**
 * Watches whether `button` is seen: whole in the top window's viewport, not covered, faded or transformed by the page around us
 * (IntersectionObserver v2 asks the compositor), in a window of a size in which its text can be read, for `dwellMs` without a change.
 * Browsers without version 2 tell at least that it is whole.
 */
export function watchSight(
  button: Element,
  { window, setTimeout, clearTimeout }: SightNeeds,
  changed: () => void,
): SightWatch {
  let seen = false
  let sight: Sight = 'waiting'
  let timer: number | undefined
  let offset: readonly [number, number] | undefined

  const say = (next: Sight): void => {
    if (next === sight) return
    sight = next
    changed()
  }
  const obstacle = (): Sight | undefined => {
    if (window.document.visibilityState !== 'visible') return 'hidden'
    if (window.innerWidth < leastWidth || window.innerHeight < leastHeight) return 'small'
    return seen ? undefined : 'covered'
  }
  const look = (): void => {
    if (timer !== undefined) clearTimeout(timer)
    timer = undefined
    const found = obstacle()
    if (found) {
      say(found)
      return
    }
    say('waiting')
    timer = setTimeout(() => {
      timer = undefined
      say(obstacle() ?? 'armed')
    }, dwellMs)
  }

  // TypeScript's library does not know version 2 yet.
  const options = { threshold: [0, 0.5, 0.99, 1], trackVisibility: true, delay: 100 } as IntersectionObserverInit
  const observer = new window.IntersectionObserver((entries) => {
    const entry = entries.at(-1) as (IntersectionObserverEntry & { readonly isVisible?: boolean }) | undefined
    if (!entry) return
    seen = entry.intersectionRatio >= 0.99 && entry.isVisible !== false
    look()
  }, options)
  observer.observe(button)
  window.addEventListener('resize', look)
  window.document.addEventListener('visibilitychange', look)

  return {
    now: () => sight,
    pointerAt({ type, pointerType, clientX, clientY, screenX, screenY }) {
      const next = [screenX - clientX, screenY - clientY] as const
      // A mouse comes in before it presses. One that never moved here had the frame pushed under it; fingers do just appear.
      const moved = offset
        ? Math.hypot(next[0] - offset[0], next[1] - offset[1]) > 4
        : type === 'pointerdown' && pointerType === 'mouse'
      offset = next
      if (moved) look()
    },
    stop() {
      if (timer !== undefined) clearTimeout(timer)
      observer.disconnect()
      window.removeEventListener('resize', look)
      window.document.removeEventListener('visibilitychange', look)
    },
  }
}
