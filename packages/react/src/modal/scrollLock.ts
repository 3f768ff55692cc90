/** Stops the page from scrolling without shifting its layout: a visible scrollbar's space is reserved. Returns a function that undoes it. */
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
