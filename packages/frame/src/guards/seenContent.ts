import { isScrolledToEnd, type ScreenView, visibleBottom } from './elementVisibility.ts'

/** Records which elements the user has seen and which boxes were scrolled to their end, until their content changes. */
export interface SeenContent {
  /** Records what is on screen now. */
  record(elements: readonly Element[], scrollBoxes: readonly Element[]): void
  /**
   * Whether an element was entirely on screen at some point. An element taller than the screen counts once both of its ends were
   * on screen.
   */
  hasSeen(element: Element): boolean
  hasReadToEnd(scrollBox: Element): boolean
  /** Discards the records of every element that contains one of these nodes. */
  forget(changed: readonly Node[]): void
}

/** Creates an empty record. `isOnScreen` returns whether an element is entirely on screen. */
export function createSeenContent(view: ScreenView, isOnScreen: (element: Element) => boolean): SeenContent {
  const seen = new Set<Element>()
  const seenEnds = new Map<Element, { top: boolean; bottom: boolean }>()
  /** Boxes that were scrolled to their end at some point. */
  const read = new Set<Element>()

  const recordElement = (element: Element): void => {
    if (seen.has(element)) return
    if (isOnScreen(element)) {
      seen.add(element)
      return
    }
    const box = element.getBoundingClientRect()
    const floor = visibleBottom(view, element)
    if (box.height <= floor) return
    const ends = seenEnds.get(element) ?? { top: false, bottom: false }
    if (box.top >= -1 && box.top < floor) ends.top = true
    if (box.bottom > 0 && box.bottom <= floor + 1) ends.bottom = true
    seenEnds.set(element, ends)
    if (ends.top && ends.bottom) seen.add(element)
  }

  return {
    record(elements, scrollBoxes) {
      for (const element of elements) recordElement(element)
      for (const box of scrollBoxes) if (isScrolledToEnd(view, box)) read.add(box)
    },
    hasSeen: (element) => seen.has(element),
    hasReadToEnd: (box) => read.has(box),
    forget(changed) {
      for (const element of [...seen, ...seenEnds.keys(), ...read]) {
        if (changed.every((node) => !element.contains(node))) continue
        seen.delete(element)
        seenEnds.delete(element)
        read.delete(element)
      }
    },
  }
}
