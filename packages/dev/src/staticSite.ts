import { readFile } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'

/** A handler for the requests to an origin in the dev environment. */
export interface StaticSite {
  /** Resolves to the response to a request for this origin. */
  (request: Request): Promise<Response>
}

/** The other origins that a page can access. */
export interface StaticSitePolicy {
  /** The origin of the server, which provides the directory, projects and chains. */
  readonly connect: string
  /** The URLs or origins of chain nodes and the relay, for `connect-src`. */
  readonly rpc: readonly string[]
  /** The origins that the page can embed, such as the embedded wallet's origin. Defaults to none. */
  readonly frames?: readonly string[]
  /** Additional image origins. Defaults to none. */
  readonly images?: readonly string[]
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Returns the security headers for a host page. They block inline scripts and styles and all unlisted origins, require Trusted
 * Types, and isolate the page in a separate browsing context group.
 *
 * @example
 * const headers = strictHeaders({ connect: 'https://connect.example', rpc: ['https://node.example'], frames: ['https://keys.example'] })
 */
export function strictHeaders({ connect, rpc, frames = [], images = [] }: StaticSitePolicy): Record<string, string> {
  const policy = {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:', connect, ...images],
    'connect-src': ["'self'", connect, ...rpc],
    'frame-src': frames.length > 0 ? frames : ["'none'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources.join(' ')}`)
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
  }
}

/**
 * Serves a built app from a folder. Paths without a file extension return `index.html`, as client-side routers require.
 *
 * @example
 * const site = serveFolder({ folder: 'dist', headers })
 * const response = await site(new Request('http://localhost/'))
 */
export function serveFolder({
  folder,
  headers,
}: {
  folder: string
  headers: Readonly<Record<string, string>>
}): StaticSite {
  const root = resolve(folder)
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405, headers })
    const path = decodedPath(request.url)
    if (path === undefined) return new Response(null, { status: 400, headers })
    const file = extname(path) === '' ? 'index.html' : path
    const full = join(root, file)
    if (!full.startsWith(root + sep)) return new Response(null, { status: 404, headers })
    const bytes = await readFile(full).catch(() => undefined)
    if (!bytes) return new Response('Not found', { status: 404, headers: { ...headers, 'content-type': 'text/plain' } })
    const hashed = /-[\w-]{8}\.\w+$/.test(file)
    return new Response(new Uint8Array(bytes), {
      headers: {
        ...headers,
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
    })
  }
}

function decodedPath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(url).pathname)
    return path.includes('\0') ? undefined : path
  } catch {
    return undefined
  }
}
