import type { Env, Hono } from 'hono'
import { inspectRoutes } from 'hono/dev'
import type { Caller } from '../serverDependencies.ts'

/** A route that the server provides: its method and path as registered. */
export interface ServedRoute {
  /** The HTTP method. `ALL` matches every method. */
  readonly method: string
  /** The path, with parameters in the form `:name`. */
  readonly path: string
}

/** A function that handles the requests to an origin, with a list of its routes. */
export interface Server {
  /** Resolves to the response, even if the request fails. `caller` contains what the listener knows about the sender. */
  (request: Request, caller?: Caller): Promise<Response>
  /** Like the function itself, but returns the response instead of a promise if it is ready. */
  respond?(request: Request, caller?: Caller): Response | Promise<Response>
  /** The routes that the server provides. */
  readonly routes: readonly ServedRoute[]
}

/** Lists an app's routes without its middleware. The list is read from the app itself, so it is always complete. */
export function servedRoutes<E extends Env>(app: Hono<E>): readonly ServedRoute[] {
  const seen = new Map<string, ServedRoute>()
  for (const { method, path, isMiddleware } of inspectRoutes(app as unknown as Hono))
    if (!isMiddleware) seen.set(`${method} ${path}`, { method, path })
  return [...seen.values()]
}
