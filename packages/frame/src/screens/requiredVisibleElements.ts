/** The elements of a screen that must each be fully on screen before an approval counts: its head, facts, notices and texts. */
export function findRequiredElements(screen: Element): readonly Element[] {
  return [...screen.querySelectorAll('.screen-head, [data-deciding]')].flatMap((region) =>
    region.matches('.screen-head') ? [region] : blocksOf(region),
  )
}

/** The boxes of a screen that must be scrolled to their end. */
export function findScrollBoxes(screen: Element): readonly Element[] {
  return [...screen.querySelectorAll('[data-deciding] [data-to-end]')]
}

/** The buttons of a screen whose presses are guarded. */
export function findGuardedButtons(screen: Element): readonly Element[] {
  return [...screen.querySelectorAll('[data-guarded]')]
}

/** The blocks of a region: facts, notices and texts. */
function blocksOf(region: Element): readonly Element[] {
  return [...region.children].flatMap((child): readonly Element[] => {
    if (child.getClientRects().length === 0) return []
    if (child.matches('.facts')) return [...child.children]
    if (child.matches('section')) return blocksOf(child)
    // Collapsed details are optional, so only their summary must be visible. If marked with `data-whole`, all of it must be visible.
    if (child.matches('details[data-whole]')) return [child]
    if (child.matches('details')) return [child.querySelector('summary') ?? child]
    return [child]
  })
}
