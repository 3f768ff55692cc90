import { postRpc } from '@latchkey/protocol/http/apiRoutes'
import { getSupportedChains } from '@latchkey/protocol/http/serverRoutes'
import { type Context, Hono } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import { readLimitedText } from '../http/readLimitedBody.ts'
import { callBytes, type InFlightVariables } from '../memoryLimits/inFlightBytes.ts'
import { authorizeProject } from '../projects/authorizeProject.ts'
import { readProjectRequest } from '../projects/readProjectRequest.ts'
import { chargedFor, type RateLimitDependencies } from '../rateLimits/rateLimitMiddleware.ts'
import type { Caller, ServerDependencies } from '../serverDependencies.ts'
import { definePublicRoute } from './definePublicRoute.ts'

interface Env {
  Bindings: Caller
  Variables: InFlightVariables
}

/**
 * Creates the route `POST /v1/?chainId&projectId`, which sends a JSON-RPC call or batch to a node of the chain, and `GET
 * /v1/supported-chains`, which lists the chains.
 */
export function rpcRoutes(
  dependencies: Pick<ServerDependencies, 'projects' | 'chain' | 'limits' | RateLimitDependencies>,
): Hono<Env> {
  const { projects, chain, limits } = dependencies
  const charge = chargedFor('chain', dependencies)

  async function proxy(c: Context<Env>): Promise<Response> {
    await authorizeProject(projects, readProjectRequest(c), 401)
    const chainId = c.req.query('chainId') ?? ''
    if (!chain.supported().includes(chainId)) throw unsupported(chainId)
    // Any content type is accepted, because clients send text/plain to avoid a CORS preflight.
    const body = await readLimitedText(c.req.raw, limits.rpcBytes)
    if (body === undefined) throw new HttpError(413, 'body', `The body is longer than ${limits.rpcBytes} bytes`)
    // Counted again, because the body is in memory twice: as received and as forwarded.
    c.var.lease.take(callBytes + body.length)
    const answer = await chain.send(chainId, body, c.req.raw.signal, {
      // The first call in a batch has already been counted with the request.
      calls: (count) => (count > 1 ? charge(c, count - 1) : undefined),
      bytes: c.var.lease.take,
    })
    if (answer.kind === 'unsupported') throw unsupported(chainId)
    if (answer.kind === 'unavailable')
      throw new HttpError(503, 'chainId', `No node of ${chainId} is available`, answer.seconds ?? 1)
    return new Response(answer.body, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } })
  }

  const upgrade = () => {
    throw new HttpError(426, 'upgrade', 'Calls must be sent with POST')
  }

  const app = new Hono<Env>()
  definePublicRoute(app, getSupportedChains, async () => ({ http: chain.supported(), ws: [] }), {
    cacheControl: 'public, max-age=86400, s-maxage=86400',
  })
  return app.post('/v1', proxy).post(postRpc.path, proxy).get('/v1', upgrade).get(postRpc.path, upgrade)
}

function unsupported(chainId: string): HttpError {
  const shown = /^[\w:-]{1,64}$/.test(chainId) ? chainId : 'requested'
  return new HttpError(400, 'chainId', `The chain ${shown} is not supported`)
}
