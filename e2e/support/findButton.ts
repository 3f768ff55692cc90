/**
 * The button or link that is called so (or begins so), in the page or in a shadow root, if a person could press it now.
 * Runs in the page: it is handed to drivers that cannot search by role and name through shadow roots.
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
      // A person cannot press what is behind something else, such as a dialog that is leaving.
      const { x, y, width, height } = element.getBoundingClientRect()
      if (element.contains(root.elementFromPoint(x + width / 2, y + height / 2))) return element
    }
    return undefined
  }
  return within(document)
}
