import type { Env, Hono } from 'hono'
import { inspectRoutes } from 'hono/dev'
import type { Caller } from './serverPorts.ts'

/** What is served: a method and a path as its handler is registered. */
export interface ServedRoute {
  /** `ALL` for every method. */
  readonly method: string
  readonly path: string
}

/** A server of one origin: what a request becomes. */
export interface Server {
  (request: Request, caller?: Caller): Promise<Response>
  /** What it serves. */
  readonly routes: readonly ServedRoute[]
}

/** What an app serves, without its middleware: from the app itself, so that no list of it goes stale. */
export function servedRoutes<E extends Env>(app: Hono<E>): readonly ServedRoute[] {
  const seen = new Map<string, ServedRoute>()
  for (const { method, path, isMiddleware } of inspectRoutes(app as unknown as Hono))
    if (!isMiddleware) seen.set(`${method} ${path}`, { method, path })
  return [...seen.values()]
}
