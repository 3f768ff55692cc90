/** The screen whose elements are checked, and its window. */
export interface ScreenView {
  readonly screen: Element
  readonly window: Pick<Window, 'innerWidth' | 'innerHeight'> & {
    readonly document: Pick<Document, 'elementFromPoint'>
  }
}

/** The points at which an element is hit-tested, as fractions of its width and height: its center and points near its corners. */
const hitPoints = [
  [0.5, 0.5],
  [0.05, 0.1],
  [0.95, 0.1],
  [0.05, 0.9],
  [0.95, 0.9],
] as const

/** Returns the lower edge of the visible area for an element. Content outside the footer can be scrolled behind the footer. */
export function visibleBottom({ screen, window }: ScreenView, element: Element): number {
  const footer = screen.querySelector('.screen-foot')
  return footer && !footer.contains(element)
    ? Math.min(window.innerHeight, footer.getBoundingClientRect().top)
    : window.innerHeight
}

/** Whether an element is entirely within the visible area. Other elements can still cover it. */
export function isFullyInView(view: ScreenView, element: Element): boolean {
  if (element.matches('details[data-whole]:not([open])')) return false
  const box = element.getBoundingClientRect()
  return (
    box.width > 0 &&
    box.height > 0 &&
    box.top >= -1 &&
    box.bottom <= visibleBottom(view, element) + 1 &&
    box.left >= -1 &&
    box.right <= view.window.innerWidth + 1
  )
}

/** Whether an element outside the screen, such as a loading indicator, covers `element` at any of the hit points. */
export function isCovered({ screen, window }: ScreenView, element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return hitPoints.some(([across, down]) => {
    // Outside the viewport, `elementFromPoint` returns `null`.
    const hit = window.document.elementFromPoint(left + width * across, top + height * down)
    return hit !== null && !screen.contains(hit) && !hit.contains(element)
  })
}

/** Whether a box is scrolled to its end and its end is on screen. */
export function isScrolledToEnd(view: ScreenView, box: Element): boolean {
  const { bottom, height } = box.getBoundingClientRect()
  const isShown = height > 0 && bottom > 0 && bottom <= visibleBottom(view, box) + 1
  return isShown && box.scrollTop + box.clientHeight >= box.scrollHeight - 2
}
