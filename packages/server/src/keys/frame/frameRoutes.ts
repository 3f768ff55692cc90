import { extname, posix } from 'node:path'
import { approvalPath, navigationSourceMetric, walletPath } from '@latchkey/protocol/http/keys'
import type { FrameFile } from '../frameFile.ts'
import type { KeysApp } from '../http/defineKeysRoute.ts'
import type { Embedders } from '../http/embedderOrigins.ts'
import type { KeysServices } from '../keysServices.ts'
import { alonePages, frameHeaders } from './frameFiles.ts'

/** The page for opening a recovery kit offline. */
const recoveryPath = '/recovery.html'

/** Adds the routes for the frame's build: its page, its scripts, and the pages that are only opened in a window. */
export function frameRoutes(
  app: KeysApp,
  { frameFiles, identify, names }: Pick<KeysServices, 'frameFiles' | 'identify' | 'names'>,
  { embedders }: { embedders: Embedders },
): void {
  // Clients that implement the specified protocol link to this path from their account settings.
  app.get('/dashboard', (c) => c.redirect(walletPath, 302))

  app.get('*', async (c) => {
    const path = pathOf(c.req.raw)
    const found = await fileAt(path)
    // No page can embed the pages on which users remove keys, read recovery words, approve requests or open recovery kits. The
    // path is lowercased because a file system can ignore case.
    const name = path.toLowerCase()
    const isAlone = Object.hasOwn(alonePages, name) || Object.values(alonePages).includes(name.slice(1))
    if (!found) return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
    return new Response(found.bytes, {
      headers: {
        ...frameHeaders({
          ancestors: isAlone || name === recoveryPath ? "'none'" : await embedders.sources(),
          secure: names.secure,
          frames: identify ? [identify] : [],
        }),
        // In browsers where a frame and a window do not share a channel, the page talks to the frame through `window.opener`.
        ...(path === approvalPath &&
          c.req.query('opener') !== undefined && { 'cross-origin-opener-policy': 'unsafe-none' }),
        'content-type': found.type,
        'cache-control': found.hashed ? 'public, max-age=31536000, immutable' : isAlone ? 'no-store' : 'no-cache',
        ...(isAlone && arrivalHeader(c.req.raw)),
        // The recovery page is downloaded, so that users open it offline from disk. On this origin, the policy would block its
        // script.
        ...(name === recoveryPath && { 'content-disposition': 'attachment; filename="recovery.html"' }),
      },
    })
  })

  // With identification enabled, the page can embed one more origin, so a different file is served. All other files are the same.
  async function fileAt(path: string): Promise<FrameFile | undefined> {
    // Accepts only canonical paths, because the checks on a path must apply to every way of requesting the file.
    if (path !== posix.normalize(path) || path.includes('\\')) return undefined
    if (path.startsWith('/identify/')) return undefined
    const isPage = (extname(path) === '' && !Object.hasOwn(alonePages, path)) || path === '/index.html'
    return frameFiles.find(identify && isPage ? '/identified.html' : path)
  }
}

/**
 * Returns a header that tells the page's scripts how the browser navigated to the page, because scripts cannot detect this. They
 * refuse to approve a device if a different page opened this one. The header must not be cached, because a cached response would
 * describe an earlier navigation.
 */
function arrivalHeader({ headers }: Request): Record<string, string> {
  const site = headers.get('sec-fetch-site')
  if (site === null) return {}
  const isDocument = headers.get('sec-fetch-dest') === 'document'
  const isOwner = site === 'none' && isDocument && headers.get('referer') === null
  // This value means that a document on this origin opened the page. A redirect through a different origin would change the
  // value to "cross-site" or "same-site".
  const isFrame = site === 'same-origin' && isDocument
  return { 'server-timing': `${navigationSourceMetric};desc=${isOwner ? 'owner' : isFrame ? 'frame' : 'page'}` }
}

function pathOf(request: Request): string {
  try {
    return decodeURIComponent(new URL(request.url).pathname)
  } catch {
    return '/\0'
  }
}
