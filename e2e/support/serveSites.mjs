// Serves the origins of the host pages. Unless noted otherwise, pages have the local environment's strict CSP.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { built } from './buildPages.mjs'

/** @param {{ serveFolder: Function }} tools */
export async function sitesFor({ serveFolder }) {
  const { renderPage } = await import(pathToFileURL(join(built.server, 'serverRendered.server.js')).href)

  /** @param {string} folder */
  const pages =
    (folder) =>
    /** @param {{ facts: any, headers: Record<string, string> }} world */
    ({ facts, headers }) => {
      const files = serveFolder({ folder, headers })
      return async (/** @type {Request} */ request) => {
        const { pathname } = new URL(request.url)
        if (pathname === '/environment.json') return Response.json(facts, { headers })
        if (pathname === '/favicon.ico') return new Response(null, { status: 204, headers })
        if (pathname === '/rendered') {
          const shell = await (await files(new Request(new URL('/serverRendered.html', request.url)))).text()
          const html = renderPage({ cookie: request.headers.get('cookie'), world: facts })
          const data = JSON.stringify(facts).replaceAll('<', '\\u003c')
          return new Response(
            shell.replace('<!--app-->', () => html).replace('>null<', () => `>${data}<`),
            {
              headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
            },
          )
        }
        return files(request)
      }
    }

  /** A page that can communicate with its popups, as social logins without our SDK require. @param {any} world */
  const open = ({ facts, headers: { 'cross-origin-opener-policy': _, ...headers } }) => {
    const frame = facts.keys.replace('//keys.', '//frame.')
    const policy = headers['content-security-policy'].replace('frame-src', `frame-src ${frame}`)
    return pages(built.pages)({ facts, headers: { ...headers, 'content-security-policy': policy } })
  }
  /** A page that requests attestations from the server's verify service in a frame. @param {any} world */
  const verify = ({ facts, headers }) => {
    const policy = headers['content-security-policy'].replace('frame-src', `frame-src ${facts.connect}`)
    return pages(built.pages)({ facts, headers: { ...headers, 'content-security-policy': policy } })
  }
  /** A page that can connect to relays that a test starts. @param {any} world */
  const relays = ({ facts, headers }) => {
    const policy = headers['content-security-policy'].replace('connect-src', 'connect-src ws://127.0.0.1:*')
    return pages(built.pages)({ facts, headers: { ...headers, 'content-security-policy': policy } })
  }
  /** Pages that use other wallet kits, which add inline styles. @param {any} world */
  const kits = ({ facts, headers }) => {
    const policy = headers['content-security-policy']
      .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
      .replace(/; require-trusted-types-for[^;]*/, '')
      .replace(/; trusted-types[^;]*/, '')
    return pages(built.kits)({ facts, headers: { ...headers, 'content-security-policy': policy } })
  }
  /** A third-party frame. @param {any} world */
  const frame = ({ facts }) => pages(built.pages)({ facts, headers: {} })

  return {
    'kits.demo.localhost': kits,
    'open.demo.localhost': open,
    'frame.demo.localhost': frame,
    'pages.demo.localhost': pages(built.pages),
    'relays.demo.localhost': relays,
    'verify.demo.localhost': verify,
    // A host page on a different site than the keys origin.
    'shop.localhost': pages(built.pages),
    localhost: pages(built.pages),
    // A second host page, which must not get data from the first one.
    'other.demo.localhost': pages(built.pages),
    'react18.demo.localhost': pages(built.react18),
  }
}
