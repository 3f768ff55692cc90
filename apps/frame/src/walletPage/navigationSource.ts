import { arrivalTiming } from '@latchkey/protocol/http/vault'

/**
 * How a page of ours came to be in front of somebody. `owner`: they typed its address, scanned it or opened a bookmark. `page`: another
 * page opened it or led there, or the browser brought an earlier visit back. `unknown`: the browser does not tell the server.
 */
export type NavigationSource = 'owner' | 'page' | 'unknown'

/** The parts of a window that tell how it came about. */
export type NavigatedWindow = Pick<Window, 'name' | 'opener' | 'document' | 'performance' | 'toolbar'>

/**
 * How the document in `window` came about. What the browser told the server about the navigation counts, because no page can fake it;
 * each of the others is there for browsers that tell less, and only ever says `page`.
 */
export function getNavigationSource({
  name,
  opener,
  document,
  performance,
  toolbar,
}: NavigatedWindow): NavigationSource {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // A window that a page names, opens with features or refers to.
  if (name !== '' || opener !== null || document.referrer !== '' || !toolbar.visible) return 'page'
  // A reload keeps what the first load was, a restored tab does not everywhere; and any page can go back to one that the owner has opened.
  if (navigation?.type !== 'navigate') return 'page'
  const source = serverTimingSource(navigation)
  if (source === 'owner') return 'owner'
  // A window that the frame opened is one that a page led to: it asked the frame.
  return source === 'page' || source === 'frame' ? 'page' : 'unknown'
}

/**
 * Whether a document of this origin opened the window, and nobody else led there. What the server was told counts, or the frame as the
 * referrer: a page can withhold a referrer, and not forge one. WebKit needs the second: it tells the server of the page around the frame.
 * `sdkPath` is where the frame stands.
 */
export function isOpenedByFrame(
  { opener, document, location, performance }: Omit<NavigatedWindow, 'name' | 'toolbar'> & Pick<Window, 'location'>,
  sdkPath: string,
): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (opener !== null || navigation?.type !== 'navigate') return false
  if (serverTimingSource(navigation) === 'frame') return true
  if (!URL.canParse(document.referrer)) return false
  const { origin, pathname } = new URL(document.referrer)
  return origin === location.origin && pathname === sdkPath
}

function serverTimingSource(navigation: PerformanceNavigationTiming | undefined): string | undefined {
  return navigation?.serverTiming?.find((timing) => timing.name === arrivalTiming)?.description
}
