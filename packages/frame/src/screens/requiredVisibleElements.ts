/**
 * Returns the elements that must each be entirely on screen before an approval counts: the screen's heading, facts, notices and
 * texts.
 */
export function findRequiredElements(screen: Element): readonly Element[] {
  return [...screen.querySelectorAll('.screen-head, [data-deciding]')].flatMap((region) =>
    region.matches('.screen-head') ? [region] : blocksOf(region),
  )
}

/** Returns the boxes that must be scrolled to their end. */
export function findScrollBoxes(screen: Element): readonly Element[] {
  return [...screen.querySelectorAll('[data-deciding] [data-to-end]')]
}

/** Returns the buttons whose presses are guarded. */
export function findGuardedButtons(screen: Element): readonly Element[] {
  return [...screen.querySelectorAll('[data-guarded]')]
}

/** Returns the facts, notices and texts in a region. */
function blocksOf(region: Element): readonly Element[] {
  return [...region.children].flatMap((child): readonly Element[] => {
    if (child.getClientRects().length === 0) return []
    if (child.matches('.facts')) return [...child.children]
    if (child.matches('section')) return blocksOf(child)
    // Collapsed details are optional, so only their summary must be visible. Details marked with `data-whole` must be entirely
    // visible.
    if (child.matches('details[data-whole]')) return [child]
    if (child.matches('details')) return [child.querySelector('summary') ?? child]
    return [child]
  })
}
