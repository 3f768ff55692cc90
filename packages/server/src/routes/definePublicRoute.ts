import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import type { Context, Env, Hono } from 'hono'
import { prepareHeaders, respondPrepared } from '../http/preparedResponse.ts'

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
  const headers = prepareHeaders({ 'content-type': 'application/json', 'cache-control': cacheControl })
  app.on(endpoint.method, endpoint.path, async (c) => respondPrepared(c, JSON.stringify(await work(c)), headers))
}
