import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { errorFields } from './errorLogFields.ts'
import { HttpError } from './httpError.ts'
import type { Metrics } from './metrics.ts'
import type { Caller, Clock, Log } from './serverPorts.ts'
import { isStoreUnavailable } from './storeErrors.ts'

/** What `observeRequests` adds to a Hono context. */
export interface RequestVariables {
  readonly requestId: string
}

const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])

/**
 * Gives each request an id, which its answer and its lines in the log carry, and counts and measures it. `origin` stands
 * before the routes of an origin beside the first one.
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
    c.res.headers.set('x-request-id', id)
    const { method, route } = placeOf(c)
    const place = origin === undefined ? route : `${origin} ${route}`
    const ms = clock() - started
    metrics.count('latchkey_requests_total', { route: place, method, status: String(c.res.status) })
    metrics.observe('latchkey_request_seconds', ms / 1000, { route: place })
    log('info', origin === undefined ? 'request' : `${origin} request`, {
      id,
      method,
      route,
      status: c.res.status,
      ms,
    })
  }
}

/**
 * Logs an error that no route expected, with the request that met it, and answers with what the caller is told: 503 where a
 * store is away, else 500, and nothing about the error itself.
 */
export function unexpectedFailure(error: Error, c: Context, log: Log): HttpError {
  const isAway = isStoreUnavailable(error)
  const id = String((c.var as Partial<RequestVariables>).requestId ?? '')
  log(isAway ? 'warn' : 'error', isAway ? 'a store is away' : 'a request failed', {
    id,
    ...placeOf(c),
    ...errorFields(error),
  })
  if (!isAway) return new HttpError(500, '', 'The server failed')
  return new HttpError(503, 'store', 'A store of this server does not answer: try again in a moment', 2)
}

/** Method and route from closed sets: what a stranger made up is one. */
function placeOf(c: Context): { readonly method: string; readonly route: string } {
  const routes = matchedRoutes(c).map(({ path }) => path)
  // The route itself rather than the middleware around it, also where that refused the request.
  const route = routes.findLast((path) => !path.includes('*')) ?? routes.at(-1) ?? 'none'
  return {
    method: methods.has(c.req.method) ? c.req.method : 'other',
    route: c.res.status === 404 && route.includes('*') ? 'none' : route,
  }
}
