import { navigationSourceMetric } from '@latchkey/protocol/http/keys'

/**
 * How the user reached a page. `owner` means that they typed its address, scanned it or opened a bookmark. `page` means that
 * another page opened it or navigated to it, or that the browser restored an earlier visit. `unknown` means that the browser does
 * not report the source to the server.
 */
export type NavigationSource = 'owner' | 'page' | 'unknown'

/** The properties of `Window` that indicate the navigation source. */
export type NavigatedWindow = Pick<Window, 'name' | 'opener' | 'document' | 'performance' | 'toolbar'>

/**
 * Returns the navigation source of the document in `window`. Only the information that the browser sent to the server can
 * result in `owner`, because pages cannot fake it. The other checks are for browsers that report less, and can only result
 * in `page`.
 */
export function getNavigationSource({
  name,
  opener,
  document,
  performance,
  toolbar,
}: NavigatedWindow): NavigationSource {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // A page gave the window a name, opened it with features, or is its opener or referrer.
  if (name !== '' || opener !== null || document.referrer !== '' || !toolbar.visible) return 'page'
  // On a reload, browsers report the original navigation to the server again, but not every browser does so when it restores a
  // tab. In addition, any page can navigate back to a page that the owner opened.
  if (navigation?.type !== 'navigate') return 'page'
  const source = serverTimingSource(navigation)
  if (source === 'owner') return 'owner'
  // A page asked the frame to open the window.
  return source === 'page' || source === 'frame' ? 'page' : 'unknown'
}

/**
 * Whether a document of this origin opened the window. Either the server's report or the frame's URL as the referrer is
 * sufficient, because a page can withhold a referrer but cannot forge it. The referrer is needed for WebKit, which reports the
 * embedding page to the server. `sdkPath` is the path of the frame.
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
  return navigation?.serverTiming?.find((timing) => timing.name === navigationSourceMetric)?.description
}
