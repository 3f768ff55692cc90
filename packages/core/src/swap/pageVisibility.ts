import type { PageVisibility } from './swapContext.ts'

/** Returns the visibility of the page. Without a page, such as on a server, it is always visible. */
export function pageVisibility(): PageVisibility {
  const page = globalThis.document as Document | undefined
  const isHidden = (): boolean => page?.visibilityState === 'hidden'
  return {
    isHidden,
    onVisible(listener) {
      const changed = (): void => {
        if (!isHidden()) listener()
      }
      page?.addEventListener('visibilitychange', changed)
      return () => page?.removeEventListener('visibilitychange', changed)
    },
  }
}
