/** Stops the page behind from scrolling, without moving it: where a scrollbar took room, the room is kept. The answer undoes it. */
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
