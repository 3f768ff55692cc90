import { type MouseEvent, useSyncExternalStore } from 'react'

/** Returns the page's path. Re-renders when the path changes. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

/** Returns the page's query parameters. Re-renders when the parameters change. */
export function useSearchParams(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(subscribe, () => location.search))
}

/** Navigates to `path` without reloading the page. */
export function navigate(path: string): void {
  history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
  scrollTo(0, 0)
}

/** Returns the props for a link that navigates to `path` without reloading the page. */
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
