/**
 * Prevents the page from scrolling, without a layout shift, because the space of a visible scrollbar stays reserved. Returns a
 * function that unlocks scrolling.
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
