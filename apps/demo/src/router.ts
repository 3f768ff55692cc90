import { type MouseEvent, useSyncExternalStore } from 'react'

/** The page's path; redraws when it changes. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

/** What the page's address asks for behind its path; redraws when it changes. */
export function useSearchParams(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(subscribe, () => location.search))
}

/** Goes to `path` without loading the page anew. */
export function navigate(path: string): void {
  history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
  scrollTo(0, 0)
}

/** Props of a link that goes to `path` in this page. */
export function linkProps(path: string): { href: string; onClick: (event: MouseEvent) => void } {
  return {
    href: path,
    onClick(event) {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      navigate(path)
    },
  }
}

function subscribe(changed: () => void): () => void {
  addEventListener('popstate', changed)
  return () => removeEventListener('popstate', changed)
}
