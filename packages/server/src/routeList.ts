import type { Env, Hono } from 'hono'
import { inspectRoutes } from 'hono/dev'
import type { Caller } from './serverDependencies.ts'

/** A served route: method and path, as registered. */
export interface ServedRoute {
  /** `ALL` for every method. */
  readonly method: string
  /** The path, with parameters as `:name`. */
  readonly path: string
}

/** The server of an origin: handles requests. */
export interface Server {
  /** Resolves to the response, also for errors. `caller` is who sent the request, as far as the listener knows. */
  (request: Request, caller?: Caller): Promise<Response>
  /** The served routes. */
  readonly routes: readonly ServedRoute[]
}

/** Lists the routes of an app without its middleware. Read from the app itself, so that the list is always complete. */
export function servedRoutes<E extends Env>(app: Hono<E>): readonly ServedRoute[] {
  const seen = new Map<string, ServedRoute>()
  for (const { method, path, isMiddleware } of inspectRoutes(app as unknown as Hono))
    if (!isMiddleware) seen.set(`${method} ${path}`, { method, path })
  return [...seen.values()]
}
