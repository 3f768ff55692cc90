import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import type { Context, Env, Hono } from 'hono'

/**
 * Adds a public endpoint that takes no request body. Responds with the JSON that `work` resolves to, and tells clients not to
 * cache it, unless there is a different `cacheControl`.
 */
export function definePublicRoute<E extends Env, Answer>(
  app: Hono<E>,
  endpoint: Endpoint<undefined, Answer>,
  work: (c: Context<E>) => Promise<Answer>,
  { cacheControl = 'no-store' }: { readonly cacheControl?: string } = {},
): void {
  const headers = { 'cache-control': cacheControl }
  app.on(endpoint.method, endpoint.path, async (c) => c.json((await work(c)) as object, 200, headers))
}
