import { Hono } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import { readLimitedText } from '../http/readLimitedBody.ts'
import type { Caller, ServerDependencies } from '../serverDependencies.ts'

/** Creates the route `POST /rpc` for relay calls that do not need a WebSocket connection. */
export function relayRoutes({ relay }: Pick<ServerDependencies, 'relay'>): Hono<{ Bindings: Caller }> {
  const app = new Hono<{ Bindings: Caller }>()
  if (!relay) return app
  return app.post('/rpc', async (c) => {
    const { status, body } = await relay.call(c.req.raw, c.env?.address, async () => {
      const text = await readLimitedText(c.req.raw, relay.bytes)
      if (text === undefined) throw new HttpError(413, 'body', `The body is longer than ${relay.bytes} bytes`)
      return text
    })
    return new Response(body, { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } })
  })
}
