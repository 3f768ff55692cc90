import { Hono } from 'hono'
import type { IdentifyConfig } from '../../config/identifyConfig.ts'
import { HttpError } from '../../errors/httpError.ts'
import { escapeHtml } from '../../http/escapeHtml.ts'
import { type Server, servedRoutes } from '../../http/routeList.ts'
import { boundInFlight, type InFlightVariables } from '../../memoryLimits/inFlightBytes.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import { observeRequests, type RequestVariables, unexpectedFailure } from '../../monitoring/requestLogging.ts'
import type { Caller, InFlight, Log } from '../../serverDependencies.ts'
import type { FrameFiles } from '../frameFile.ts'

/** The dependencies of the identification server. */
export interface IdentificationServerDependencies {
  readonly config: IdentifyConfig
  /** The origin of the key frame, which can embed this page and receives the result. */
  readonly keys: string
  readonly frameFiles: FrameFiles
  /**
   * The pages that can embed the key frame, as CSP sources. They are needed because `frame-ancestors` applies to every ancestor.
   */
  readonly ancestors: () => Promise<string>
  readonly inFlight: InFlight
  readonly metrics: Metrics
  readonly log: Log
}

/**
 * Creates the server for the identification origin. It serves a page for the key frame, the page's script, and the library that
 * identifies the visitor. The page does nothing if a different origin embeds it. The server stores nothing, accepts no input and
 * reads no cookies.
 */
export function createIdentificationServer({
  config,
  keys,
  frameFiles,
  ancestors,
  inFlight,
  metrics,
  log,
}: IdentificationServerDependencies): Server {
  const { script, key, cacheSeconds } = config
  const address = script?.replaceAll('{key}', encodeURIComponent(key ?? ''))
  const foreign = address && new URL(address).origin
  const page = pageOf({
    keys,
    cache: String(cacheSeconds),
    ...(address ? { script: address } : {}),
    ...(key ? { key } : {}),
    ...(script?.includes('{key}') ? { 'needs-key': '' } : {}),
  })
  const policy = [
    "default-src 'none'",
    // A vendor's script can connect only to its own host.
    `script-src 'self'${foreign ? ` ${foreign}` : ''}`,
    `connect-src ${foreign ?? "'none'"}`,
    // The library measures fonts and colors in an empty iframe.
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const common = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'origin-agent-cluster': '?1',
    'cross-origin-resource-policy': 'same-site',
    ...(config.url.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }

  const app = new Hono<{ Bindings: Caller; Variables: InFlightVariables & RequestVariables }>()
  app.use(observeRequests({ origin: 'identify', metrics, log, clock: () => performance.now() }))
  app.use(boundInFlight(inFlight))
  app.all('/', (c) => answer(c.req.raw))
  app.all('*', (c) => answer(c.req.raw))
  app.onError((error, c) => {
    const { status, seconds, message } = error instanceof HttpError ? error : unexpectedFailure(error, c, log)
    const wait: Record<string, string> = seconds === undefined ? {} : { 'retry-after': String(seconds) }
    return new Response(message, { status, headers: { ...common, ...wait, 'content-type': 'text/plain' } })
  })
  return Object.assign(async (request: Request, caller: Caller = {}) => app.fetch(request, caller), {
    routes: servedRoutes(app),
  })

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: common })
    if (pathname === '/')
      return new Response(page, {
        headers: {
          ...common,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `${policy}; frame-ancestors ${keys} ${await ancestors()}`,
          'cache-control': 'no-cache',
        },
      })
    const found = /^\/[\w.-]+\.js$/.test(pathname) ? await frameFiles.find(`/identify${pathname}`) : undefined
    if (!found) return new Response('Not found', { status: 404, headers: { ...common, 'content-type': 'text/plain' } })
    return new Response(found.bytes, {
      headers: {
        ...common,
        'content-type': found.type,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': found.hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
    })
  }
}

function pageOf(data: Readonly<Record<string, string>>): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>Visitor identification</title>
<body${attributes.join('')}>
<script type="module" src="/identify.js"></script>
`
}
