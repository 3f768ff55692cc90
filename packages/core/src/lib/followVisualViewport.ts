/**
 * Keeps a full-screen fixed element within the visual viewport. If the page is wider than the phone's screen, browsers size fixed
 * elements to the width of the page, and CSS cannot refer to the visible part. The element does not move during pinch zoom.
 * Returns a function that stops following the viewport.
 */
export function followVisualViewport(element: HTMLElement): () => void {
  const { style } = element
  const view = window.visualViewport
  const stopped = new AbortController()
  const follow = (): void => {
    if (!view || view.scale > 1) return
    if (style.cssText) style.cssText = ''
    const { width, height, offsetTop, offsetLeft } = view
    // Allow a difference of one pixel, because browsers round only one of the two values.
    if (element.offsetWidth > width + 1)
      style.cssText = `inset:${offsetTop}px auto auto ${offsetLeft}px;width:${width}px;height:${height}px`
  }
  // The observer is called after the next layout, before it is painted. Measuring the element now would force another layout.
  const watch = new ResizeObserver(() => {
    watch.disconnect()
    follow()
  })
  watch.observe(element)
  for (const event of ['resize', 'scroll']) view?.addEventListener(event, follow, stopped)
  // Do not reset the style, so that the element keeps its position during its exit animation.
  return () => {
    watch.disconnect()
    stopped.abort()
  }
}
