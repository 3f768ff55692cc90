import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import type { Context, Env, Hono } from 'hono'

const headers = { 'cache-control': 'no-store' }

/**
 * Adds a public endpoint that takes no request body. Responds with the JSON that `work` resolves to, and tells clients not to
 * cache it.
 */
export function definePublicRoute<E extends Env, Answer>(
  app: Hono<E>,
  endpoint: Endpoint<undefined, Answer>,
  work: (c: Context<E>) => Promise<Answer>,
): void {
  app.on(endpoint.method, endpoint.path, async (c) => c.json((await work(c)) as object, 200, headers))
}
