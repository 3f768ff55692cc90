import { getSupportedChains } from '@latchkey/protocol/http/chainApi'
import { postRpc } from '@latchkey/protocol/http/publicRoutes'
import { type Context, Hono } from 'hono'
import type * as v from 'valibot'
import { HttpError } from '../errors/httpError.ts'
import { etagOf } from '../http/etag.ts'
import {
  type CacheableAnswer,
  cacheableAnswer,
  type PreparedAnswer,
  prepareHeaders,
  respondPrepared,
} from '../http/preparedResponse.ts'
import { readLimitedText } from '../http/readLimitedBody.ts'
import { callBytes, type InFlightVariables } from '../memoryLimits/inFlightBytes.ts'
import { authorizeProject } from '../projects/authorizeProject.ts'
import { type PublicRequest, readProjectRequest } from '../projects/readProjectRequest.ts'
import { chargedFor, type RateLimitDependencies } from '../rateLimits/rateLimitMiddleware.ts'
import type { Caller, ServerDependencies } from '../serverDependencies.ts'

interface Env {
  Bindings: Caller
  Variables: InFlightVariables
}

const listHeaders = { 'content-type': 'application/json', 'cache-control': 'public, max-age=86400, s-maxage=86400' }
const answerHeaders = prepareHeaders({ 'content-type': 'application/json', 'cache-control': 'no-store' })

/**
 * Creates the route `POST /v1/?chainId&projectId`, which sends a JSON-RPC call or batch to a node of the chain, and `GET
 * /v1/supported-chains`, which lists the chains.
 */
export function rpcRoutes(
  dependencies: Pick<ServerDependencies, 'projects' | 'chain' | 'limits' | RateLimitDependencies>,
  chainListAnswer: ChainListAnswer,
): Hono<Env> {
  const { projects, chain, limits } = dependencies
  const charge = chargedFor('chain', dependencies)

  async function proxy(c: Context<Env>): Promise<Response> {
    await authorizeProject(projects, readProjectRequest(c.req), 401)
    const chainId = c.req.query('chainId') ?? ''
    if (!chain.supported().includes(chainId)) throw unsupported(chainId)
    // Any content type is accepted, because clients send text/plain to avoid a CORS preflight.
    const body = await readLimitedText(c.req.raw, limits.rpcBytes)
    if (body === undefined) throw new HttpError(413, 'body', `The body is longer than ${limits.rpcBytes} bytes`)
    // Counted again, because the body is in memory twice: as received and as forwarded.
    const lease = c.get('lease')
    lease.take(callBytes + body.length)
    const answer = await chain.send(chainId, body, c.req.raw.signal, {
      // The first call in a batch has already been counted with the request.
      calls: (count) => (count > 1 ? charge(c.req, c.env ?? {}, count - 1) : undefined),
      bytes: lease.take,
    })
    if (answer.kind === 'unsupported') throw unsupported(chainId)
    if (answer.kind === 'unavailable')
      throw new HttpError(503, 'chainId', `No node for ${chainId} is available`, answer.seconds ?? 1)
    return respondPrepared(c, { status: 200, body: answer.body, headers: answerHeaders })
  }

  const upgrade = () => {
    throw new HttpError(426, 'upgrade', 'Calls must be sent with POST')
  }

  const app = new Hono<Env>()
  app.get(getSupportedChains.path, (c) => respondPrepared(c, chainListAnswer(c.req)))
  return app.post('/v1', proxy).post(postRpc.path, proxy).get('/v1', upgrade).get(postRpc.path, upgrade)
}

/** Returns the response that lists the supported chains. */
export type ChainListAnswer = (request: Pick<PublicRequest, 'header'>) => PreparedAnswer

/** Creates the function that responds with the list of supported chains. The list is serialized again only if it has changed. */
export function createChainListAnswer({
  chain,
  chainApi: { swapChains },
}: Pick<ServerDependencies, 'chain' | 'chainApi'>): ChainListAnswer {
  let chains: readonly string[] | undefined
  let list: CacheableAnswer

  return (request) => {
    const supported = chain.supported()
    if (chains !== supported) {
      chains = supported
      const answer: v.InferOutput<typeof getSupportedChains.answer> = {
        http: supported,
        ws: [],
        ...(swapChains && { swaps: swapChains }),
      }
      // A string, because Node.js sends a short string together with the headers.
      const body = JSON.stringify(answer)
      const etag = etagOf(body)
      list = { body, etag, headers: prepareHeaders({ ...listHeaders, etag }) }
    }
    return cacheableAnswer(request, list)
  }
}

function unsupported(chainId: string): HttpError {
  const shown = /^[\w:-]{1,64}$/.test(chainId) ? chainId : 'requested'
  return new HttpError(400, 'chainId', `The chain ${shown} is not supported`)
}
