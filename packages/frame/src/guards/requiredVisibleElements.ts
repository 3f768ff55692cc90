/**
 * Returns the elements that must have been fully visible before the user can approve: the heading, facts, notices and text
 * blocks.
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

/** Returns the buttons that must be visible before the user can approve (`data-guarded`). */
export function findGuardedButtons(screen: Element): readonly Element[] {
  return [...screen.querySelectorAll('[data-guarded]')]
}

/** Returns the facts, notices and text blocks in a region. */
function blocksOf(region: Element): readonly Element[] {
  return [...region.children].flatMap((child): readonly Element[] => {
    if (child.getClientRects().length === 0) return []
    if (child.matches('.facts')) return [...child.children]
    if (child.matches('section')) return blocksOf(child)
    // The content of `<details>` is optional, so only the summary must be visible, unless `data-whole` is set. In that case, the
    // whole element must be visible.
    if (child.matches('details[data-whole]')) return [child]
    if (child.matches('details')) return [child.querySelector('summary') ?? child]
    return [child]
  })
}
