import { createHash } from 'node:crypto'
import { getAttestationKey } from '@latchkey/protocol/http/walletConnectVerify'
import { Hono } from 'hono'
import { escapeHtml } from '../http/escapeHtml.ts'
import type { ServerDependencies } from '../serverDependencies.ts'
import { definePublicRoute } from './definePublicRoute.ts'

// Only the embedding page receives the attestation: CSP prevents other pages from embedding this page, and `postMessage` does not
// deliver to other origins.
const script = `const { attestation, origin } = document.body.dataset
const referrer = document.referrer && new URL(document.referrer).origin
const parentOrigin = location.ancestorOrigins?.[0] || referrer || origin
if (parent !== window && parentOrigin === origin)
  parent.postMessage(JSON.stringify({ type: 'verify_attestation', attestation: attestation || null }), origin)`
const scriptHash = createHash('sha256').update(script).digest('base64')

/**
 * Creates the route `GET /v3/attestation`, a page for an invisible frame that posts a signed attestation of the embedding page's
 * origin to that page, and `GET /v3/public-key`, the key with which wallets verify attestations.
 */
export function walletConnectVerifyRoutes({ verify }: Pick<ServerDependencies, 'verify'>): Hono {
  const app = new Hono()
  if (!verify) return app
  definePublicRoute(app, getAttestationKey, () => verify.publicKey(), { cacheControl: 'public, max-age=300' })
  return app.get('/v3/attestation', async (c) => {
    const { origin = '', id = '', projectId = '' } = c.req.query()
    if (!isOrigin(origin) || !/^[0-9a-f]{64}$/.test(id)) return c.notFound()
    const params = c.req.raw.headers
    const referrer = params.get('referer')
    // Browsers report that the request loads a frame and, unless the embedding page forbids it, the origin of that page. Programs
    // other than browsers can forge these headers. An attestation therefore distinguishes one page from another, but not a
    // browser from another program.
    const isFrame = params.get('sec-fetch-dest') === 'iframe' && params.get('sec-fetch-mode') === 'navigate'
    const isTheirs = referrer === null || (URL.canParse(referrer) && new URL(referrer).origin === origin)
    const attestation = isFrame && isTheirs ? await verify.attest({ id, origin, projectId }) : ''
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Verify</title><body data-origin="${escapeHtml(origin)}" data-attestation="${attestation}"><script>${script}</script></body></html>`
    return new Response(page, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src 'sha256-${scriptHash}'; frame-ancestors ${origin}; base-uri 'none'; form-action 'none'`,
        'cache-control': 'no-store',
      },
    })
  })
}

/** Returns whether a string is the serialized origin of a web page, which is also a valid CSP source. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol } = new URL(text)
  return origin === text && /^https?:$/.test(protocol) && /^[\w:/.[\]-]+$/.test(text)
}
