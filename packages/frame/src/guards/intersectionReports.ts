/** The latest reports from an `IntersectionObserver` about the observed elements. */
export interface IntersectionReports {
  /** Observes exactly the given elements. */
  observe(elements: readonly Element[]): void
  /** Whether the element is observed and was last reported as not visible. */
  isReportedHidden(element: Element): boolean
  /** Adopts reports that the browser has not delivered yet. */
  flush(): void
  stop(): void
}

/** Creates the observer, which observes no elements at first. Calls `changed` after the browser delivers reports. */
export function createIntersectionReports({
  window,
  isFramed,
  changed,
}: {
  readonly window: { readonly IntersectionObserver: typeof IntersectionObserver }
  /**
   * Whether the document is in a frame. If so, elements count as hidden until the browser reports that no other page covers or
   * alters them.
   */
  readonly isFramed: boolean
  readonly changed: () => void
}): IntersectionReports {
  const isVisible = new Map<Element, boolean>()

  const take = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const entry of entries) {
      const reported = entry as IntersectionObserverEntry & { readonly isVisible?: boolean }
      // In a top-level window, no other page can cover the screen, and the position is checked separately.
      isVisible.set(entry.target, !isFramed || (reported.intersectionRatio >= 0.99 && reported.isVisible !== false))
    }
  }
  // TypeScript's DOM types do not include version 2 of the interface yet.
  const options = { threshold: [0, 0.5, 0.99, 1], trackVisibility: true, delay: 100 } as IntersectionObserverInit
  const observer = new window.IntersectionObserver((entries) => {
    take(entries)
    changed()
  }, options)

  return {
    observe(elements) {
      const observed = new Set(elements)
      for (const element of isVisible.keys()) {
        if (observed.has(element)) continue
        observer.unobserve(element)
        isVisible.delete(element)
      }
      for (const element of observed) {
        if (isVisible.has(element)) continue
        isVisible.set(element, !isFramed)
        observer.observe(element)
      }
    },
    isReportedHidden: (element) => isVisible.get(element) === false,
    flush: () => take(observer.takeRecords()),
    stop: () => observer.disconnect(),
  }
}
