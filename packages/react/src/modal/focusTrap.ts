const focusable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"], iframe'

/** Returns the elements in `root` that can be reached with Tab, in DOM order. */
export function tabStops(root: ParentNode): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.tabIndex >= 0 && element.getClientRects().length > 0,
  )
}

/**
 * Returns the element to focus if Tab would otherwise leave `root`, or `undefined` if the browser's default keeps focus inside
 * `root`.
 */
export function nextTrappedFocus(
  root: HTMLElement,
  active: Element | null,
  backwards: boolean,
): HTMLElement | undefined {
  const stops = tabStops(root)
  const first = stops[0]
  const last = stops.at(-1)
  if (!first || !last) return root
  const at = active === null ? -1 : stops.indexOf(active as HTMLElement)
  if (backwards)
    return at === 0 || (at < 0 && !stops.some((stop) => active && precedes(stop, active))) ? last : undefined
  return active === last ? first : undefined
}

function precedes(element: Node, other: Node): boolean {
  return (element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}
