import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { escapeHtml } from '../escapeHtml.ts'
import type { Ports } from '../serverPorts.ts'

// Twice pinned: the policy of the page lets no other page show it, and the browser hands the message to no other origin.
const script = `const { attestation, origin } = document.body.dataset
const referrer = document.referrer && new URL(document.referrer).origin
const parentOrigin = location.ancestorOrigins?.[0] || referrer || origin
if (parent !== window && parentOrigin === origin)
  parent.postMessage(JSON.stringify({ type: 'verify_attestation', attestation: attestation || null }), origin)`
const scriptHash = createHash('sha256').update(script).digest('base64')

/**
 * `GET /v3/attestation`: a page for an invisible frame, which tells the page around it who it is in signed words.
 * `GET /v3/public-key`: what wallets check them with.
 */
export function verifyRoutes({ verify }: Pick<Ports, 'verify'>): Hono {
  const app = new Hono()
  if (!verify) return app
  return app
    .get('/v3/public-key', async (c) =>
      c.json(await verify.publicKey(), 200, { 'cache-control': 'public, max-age=300' }),
    )
    .get('/v3/attestation', async (c) => {
      const { origin = '', id = '', projectId = '' } = c.req.query()
      if (!isOrigin(origin) || !/^[0-9a-f]{64}$/.test(id)) return c.notFound()
      const params = c.req.raw.headers
      const referrer = params.get('referer')
      // A browser says that it fills a frame, and for whom where the page does not forbid it. Programs can say anything:
      // an attestation tells a page from another page, not a browser from a program.
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

/** Whether a text is the origin of a web page, as browsers write it; such a text is also a source of a policy. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol } = new URL(text)
  return origin === text && /^https?:$/.test(protocol) && /^[\w:/.[\]-]+$/.test(text)
}
