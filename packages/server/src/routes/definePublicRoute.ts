import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import type { Context, Env, Hono } from 'hono'
import { prepareHeaders, respondPrepared } from '../http/preparedResponse.ts'

/**
 * Adds a public endpoint that takes no request body. It responds with the value that `work` resolves to, as JSON. Clients must
 * not cache the response, unless `cacheControl` specifies otherwise.
 */
export function definePublicRoute<E extends Env, Answer>(
  app: Hono<E>,
  endpoint: Endpoint<undefined, Answer>,
  work: (c: Context<E>) => Promise<Answer>,
  { cacheControl = 'no-store' }: { readonly cacheControl?: string } = {},
): void {
  const headers = prepareHeaders({ 'content-type': 'application/json', 'cache-control': cacheControl })
  app.on(endpoint.method, endpoint.path, async (c) =>
    respondPrepared(c, { status: 200, body: JSON.stringify(await work(c)), headers }),
  )
}
