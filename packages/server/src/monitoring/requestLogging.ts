import { getAssetImage, getCurrencyImage, getTokenImage, getWalletImage } from '@latchkey/protocol/http/publicRoutes'
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

// A page requests an image for each wallet in a list, which would flood the log.
const imageRoutes: ReadonlySet<string> = new Set(
  [getAssetImage, getCurrencyImage, getTokenImage, getWalletImage].map(({ path }) => path),
)

const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])

/** A completed request. `method` and `route` come from closed sets. */
export interface CompletedRequest {
  readonly id: string
  readonly method: string
  readonly route: string
  readonly status: number
  /** The duration in milliseconds. */
  readonly ms: number
}

interface RequestObservers {
  readonly origin?: 'keys' | 'identify'
  readonly metrics: Metrics
  readonly log: Log
}

/** Creates the function that counts, measures and logs a completed request. */
export function createRequestRecorder({ origin, metrics, log }: RequestObservers): (request: CompletedRequest) => void {
  const message = origin === undefined ? 'request' : `${origin} request`
  return ({ id, method, route, status, ms }) => {
    const place = origin === undefined ? route : `${origin} ${route}`
    metrics.count('latchkey_requests_total', { route: place, method, status: String(status) })
    metrics.observe('latchkey_request_seconds', ms / 1000, { route: place })
    log(imageRoutes.has(route) && status < 400 ? 'debug' : 'info', message, { id, method, route, status, ms })
  }
}

/** Returns the ID of a request, which a trusted proxy can set. */
export function requestIdOf(caller: Caller | undefined): string {
  return caller?.requestId ?? crypto.randomUUID()
}

/**
 * Creates middleware that assigns an ID to each request and includes it in the response and the log. It also counts each request
 * and measures its duration. Successful requests for images are logged as `debug`, and all other requests as `info`. If `origin`
 * is specified, it is used as a prefix for the routes.
 */
export function observeRequests({
  clock,
  ...observers
}: RequestObservers & { clock: Clock }): MiddlewareHandler<{ Bindings: Caller; Variables: RequestVariables }> {
  const record = createRequestRecorder(observers)
  return async (c, next) => {
    const started = clock()
    const id = requestIdOf(c.env)
    c.set('requestId', id)
    await next()
    if (!isPrepared(c)) c.res.headers.set('x-request-id', id)
    record({ id, ...placeOf(c), status: c.res.status, ms: clock() - started })
  }
}

/**
 * Logs an unexpected error together with its request. Returns the error response, which contains no details: 503 if a store is
 * unavailable, otherwise 500.
 */
export function unexpectedFailure(error: Error, c: Context, log: Log): HttpError {
  return failureOf(error, { id: String((c.var as Partial<RequestVariables>).requestId ?? ''), ...placeOf(c) }, log)
}

/** Like `unexpectedFailure`, but for a request that has no Hono context. */
export function failureOf(
  error: unknown,
  request: Pick<CompletedRequest, 'id' | 'method' | 'route'>,
  log: Log,
): HttpError {
  const isAway = isStoreUnavailable(error)
  log(isAway ? 'warn' : 'error', isAway ? 'a store is unavailable' : 'a request failed', {
    ...request,
    ...errorFields(error),
  })
  if (!isAway) return new HttpError(500, '', 'Internal server error')
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
