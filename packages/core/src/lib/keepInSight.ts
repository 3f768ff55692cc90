/**
 * Keeps a fixed element that fills the screen on the part of the screen that the visitor sees: where a page is wider than the phone,
 * browsers lay out what is fixed for the whole of that page, and CSS has no name for the part in sight. Whoever zooms in moves nothing.
 * The answer stops it.
 */
export function keepInSight(element: HTMLElement): () => void {
  const { style } = element
  const view = window.visualViewport
  const stopped = new AbortController()
  const follow = (): void => {
    if (!view || view.scale > 1) return
    style.cssText = ''
    const { width, height, offsetTop, offsetLeft } = view
    // Browsers round the one and not the other.
    if (element.offsetWidth > width + 1)
      style.cssText = `inset:${offsetTop}px auto auto ${offsetLeft}px;width:${width}px;height:${height}px`
  }
  follow()
  for (const event of ['resize', 'scroll']) view?.addEventListener(event, follow, stopped)
  // It stays where it is while it leaves.
  return () => stopped.abort()
}
