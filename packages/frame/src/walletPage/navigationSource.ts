import { arrivalTiming } from '@latchkey/protocol/http/vault'

/**
 * How the user got to a page. `owner`: they typed its address, scanned it or opened a bookmark. `page`: another page opened it or navigated
 * to it, or the browser restored an earlier visit. `unknown`: the browser does not report it to the server.
 */
export type NavigationSource = 'owner' | 'page' | 'unknown'

/** The parts of `Window` that indicate the navigation source. */
export type NavigatedWindow = Pick<Window, 'name' | 'opener' | 'document' | 'performance' | 'toolbar'>

/**
 * Returns the navigation source of the document in `window`. The information that the browser sent to the server is decisive, because pages
 * cannot fake it. The other checks support browsers that report less, and can only result in `page`.
 */
export function getNavigationSource({
  name,
  opener,
  document,
  performance,
  toolbar,
}: NavigatedWindow): NavigationSource {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // A page named the window, opened it with features, or is its opener or referrer.
  if (name !== '' || opener !== null || document.referrer !== '' || !toolbar.visible) return 'page'
  // A reload keeps the first navigation's type, but not every browser does so for a restored tab; and any page can navigate back to a page
  // that the owner opened.
  if (navigation?.type !== 'navigate') return 'page'
  const source = serverTimingSource(navigation)
  if (source === 'owner') return 'owner'
  // A window opened by the frame was requested by a page.
  return source === 'page' || source === 'frame' ? 'page' : 'unknown'
}

/**
 * Whether a document of this origin opened the window. Either the server's information or the frame's URL as the referrer is sufficient: a
 * page can withhold a referrer, but not forge it. WebKit needs the referrer, as it reports the embedding page to the server. `sdkPath` is
 * the path of the frame.
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
