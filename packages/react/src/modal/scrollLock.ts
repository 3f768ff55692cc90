/**
 * Prevents the page from scrolling. The space for a visible scrollbar stays reserved, so that the layout does not shift. Returns
 * a function that unlocks scrolling.
 */
export function lockScroll(): () => void {
  const { style } = document.documentElement
  const before = { overflow: style.overflow, gutter: style.scrollbarGutter }
  const bar = window.innerWidth > document.documentElement.clientWidth
  style.overflow = 'hidden'
  if (bar) style.scrollbarGutter = 'stable'
  return () => {
    style.overflow = before.overflow
    style.scrollbarGutter = before.gutter
  }
}
