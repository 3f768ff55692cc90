/**
 * Returns the button or link whose name starts with `wanted`, in the page or in a shadow root, if a user could click it. Runs in
 * the page and is meant for drivers that cannot search shadow roots by role and name.
 */
export function findButton(wanted: string): Element | undefined {
  const within = (root: Document | ShadowRoot): Element | undefined => {
    for (const element of root.querySelectorAll('*')) {
      const inner = element.shadowRoot && within(element.shadowRoot)
      if (inner) return inner
      if (!['button', 'a'].includes(element.localName) || !element.checkVisibility()) continue
      const called = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
      if (!called.startsWith(wanted) || (element as HTMLButtonElement).disabled) continue
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      // A covered element, such as one behind a dialog that is closing, cannot be clicked.
      const { x, y, width, height } = element.getBoundingClientRect()
      if (element.contains(root.elementFromPoint(x + width / 2, y + height / 2))) return element
    }
    return undefined
  }
  return within(document)
}
