import { getAssetImage, getCurrencyImage, getTokenImage, getWalletImage } from '@latchkey/protocol/http/apiRoutes'
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { errorFields } from '../errors/errorLogFields.ts'
import { HttpError } from '../errors/httpError.ts'
import { isStoreUnavailable } from '../errors/storeErrors.ts'
import { isPrepared } from '../http/preparedResponse.ts'
import type { Caller, Clock, Log } from '../serverDependencies.ts'
import type { Metrics } from './metrics.ts'

/** The variables that `observeRequests` adds to the Hono context. */
export interface RequestVariables {
  readonly requestId: string
}

// A list of wallets requests an image for each wallet, which would fill the log.
const imageRoutes: ReadonlySet<string> = new Set(
  [getAssetImage, getCurrencyImage, getTokenImage, getWalletImage].map(({ path }) => path),
)

const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])

/**
 * Creates middleware that assigns an ID to each request and includes it in the response and the log. It also counts each request
 * and measures its duration. Successful requests for images are logged as `debug`, and all other requests as `info`. `origin` is a
 * prefix for the routes of an additional origin.
 */
export function observeRequests({
  origin,
  metrics,
  log,
  clock,
}: {
  origin?: 'keys' | 'identify'
  metrics: Metrics
  log: Log
  clock: Clock
}): MiddlewareHandler<{ Bindings: Caller; Variables: RequestVariables }> {
  return async (c, next) => {
    const started = clock()
    const id = c.env?.requestId ?? crypto.randomUUID()
    c.set('requestId', id)
    await next()
    if (!isPrepared(c)) c.res.headers.set('x-request-id', id)
    const { method, route } = placeOf(c)
    const place = origin === undefined ? route : `${origin} ${route}`
    const ms = clock() - started
    metrics.count('latchkey_requests_total', { route: place, method, status: String(c.res.status) })
    metrics.observe('latchkey_request_seconds', ms / 1000, { route: place })
    const level = imageRoutes.has(route) && c.res.status < 400 ? 'debug' : 'info'
    log(level, origin === undefined ? 'request' : `${origin} request`, {
      id,
      method,
      route,
      status: c.res.status,
      ms,
    })
  }
}

/**
 * Logs an unexpected error together with its request. Returns the error response, which contains no details: 503 if a store is
 * unavailable, otherwise 500.
 */
export function unexpectedFailure(error: Error, c: Context, log: Log): HttpError {
  const isAway = isStoreUnavailable(error)
  const id = String((c.var as Partial<RequestVariables>).requestId ?? '')
  log(isAway ? 'warn' : 'error', isAway ? 'a store is unavailable' : 'a request failed', {
    id,
    ...placeOf(c),
    ...errorFields(error),
  })
  if (!isAway) return new HttpError(500, '', 'The server failed')
  return new HttpError(503, 'store', 'A store of this server is unavailable: try again in a moment', 2)
}

/** Returns the method and route, which come from closed sets. Values that the client supplies are replaced. */
function placeOf(c: Context): { readonly method: string; readonly route: string } {
  const routes = matchedRoutes(c).map(({ path }) => path)
  // Use the route itself instead of its middleware, even if the middleware rejected the request.
  const route = routes.findLast((path) => !path.includes('*')) ?? routes.at(-1) ?? 'none'
  return {
    method: methods.has(c.req.method) ? c.req.method : 'other',
    route: c.res.status === 404 && route.includes('*') ? 'none' : route,
  }
}
