import type { ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { getSupportedChains } from '@latchkey/protocol/http/chainApi'
import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import { failureAnswer, urlOf } from '@latchkey/protocol/http/publicRoutes'
import { readJsonBody } from '@latchkey/protocol/http/readResponseBody'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { loadOnce } from '@latchkey/protocol/loadOnce'
import { read } from '@latchkey/protocol/parseWithSchema'
import { chainAnswerMs, maxSmallAnswerBytes } from '@latchkey/protocol/specificationConstants'
import { abortable, linkedController } from '../lib/abortable.ts'
import { fetchJson } from '../lib/fetchJson.ts'
import { createUrlFallback, identityOf, type LatchkeyServer } from '../lib/serverUrls.ts'

/** The parameters of a request to the chain API. */
export interface ChainApiRequest<Body, Query> {
  /** The values for the `:name` parts of the endpoint's path. */
  readonly params?: Readonly<Record<string, string>>
  /** The query, without the page's project and SDK, which are added. */
  readonly query?: Omit<Query, 'projectId' | 'st' | 'sv' | 'clientId'>
  /** The body, which is sent as JSON. */
  readonly body?: Body
  readonly signal?: AbortSignal | undefined
  /** `no-cache` revalidates the response, even if the browser has it. */
  readonly cache?: 'no-cache'
}

/** The client for a server's chain API (section 7 of the specification). */
export interface ChainApiClient {
  /**
   * Whether the server has a node for `chain`. The list of chains is requested once. While it is empty, no chain is supported,
   * and the next call requests it again. If the list cannot be loaded, it is unknown whether the chain is supported, so the
   * promise rejects like that of `call()`.
   */
  supports(chain: ChainId): Promise<boolean>
  /** Whether the server can swap on `chain`, or `undefined` if the server does not report it. Rejects like `supports()`. */
  supportsSwaps(chain: ChainId): Promise<boolean | undefined>
  /**
   * Sends a request and parses the response with the endpoint's schema. Rejects with `http/failed`, with the first reason from
   * the response as `reason`, or with `http/unreachable`, `http/malformed` or `request/aborted`.
   */
  call<Body, Answer, Query>(
    endpoint: Endpoint<Body, Answer, Query>,
    request: ChainApiRequest<Body, Query>,
  ): Promise<Answer>
  /** Aborts pending requests. */
  stop(): void
}

/** Creates the client for a server's chain API. Nothing is requested until the first call. */
export function createChainApiClient(
  dependencies: LatchkeyServer & {
    readonly fetch: typeof fetch
    readonly clock: Clock
    /** Returns the ID of the relay client (`did:key`), once there is one. */
    readonly clientId?: () => string | undefined
  },
): ChainApiClient {
  const { fetch, clock } = dependencies
  const page = new AbortController()
  const identity = identityOf(dependencies)
  const withUrl = createUrlFallback(dependencies)

  const call: ChainApiClient['call'] = (endpoint, { params, query, body, signal, cache }) =>
    withUrl(async (base) => {
      const controller = linkedController(page.signal, signal)
      const late = (): void => controller.abort(new LatchkeyError('http/unreachable', { url: base }))
      const cancel = clock.after(chainAnswerMs, late)
      try {
        const request = fetchJson({
          fetch,
          url: urlOf(base, endpoint, { params, query: { ...query, clientId: dependencies.clientId?.() }, identity }),
          schema: endpoint.answer,
          signal: controller.signal,
          ...(endpoint.method !== 'GET' && { post: JSON.stringify(body) }),
          ...(cache && { cache }),
        })
        return (await abortable(request, controller.signal)) as never
      } catch (error) {
        throw await withReason(error)
      } finally {
        cancel()
        controller.abort()
      }
    })

  const chains = loadOnce(async () => {
    const { http, swaps } = await withUrl((base) =>
      fetchJson({
        fetch,
        url: urlOf(base, getSupportedChains, { identity }),
        schema: getSupportedChains.answer,
        maxBytes: maxSmallAnswerBytes,
        signal: page.signal,
      }),
    )
    if (http.length === 0) throw noChains
    return { supported: new Set(http), swaps: swaps && new Set(swaps) }
  })
  const listed = () =>
    chains().catch((error: unknown) => {
      if (error === noChains) return undefined
      throw toLatchkeyError(error)
    })

  return {
    supports: async (chain) => (await listed())?.supported.has(chain) ?? false,
    supportsSwaps: async (chain) => (await listed())?.swaps?.has(chain),
    call,
    stop: () => page.abort(),
  }
}

/** Thrown so that an empty list is not cached. */
const noChains = new Error('The server supports no chain.')

/** Adds the first reason from the server's response to an error. */
async function withReason(error: unknown): Promise<unknown> {
  // The cause is the response. Do not check it with `instanceof`, because libraries such as @hono/node-server replace the
  // global `Response` on servers.
  if (!isLatchkeyError(error, 'http/failed') || !error.cause) return error
  const answer = read(failureAnswer, await readJsonBody(error.cause as Response, maxSmallAnswerBytes))
  const [reason] = answer?.reasons ?? []
  if (!reason) return error
  const details = { ...error.details, reason: reason.description, field: reason.field }
  return new LatchkeyError('http/failed', details, { cause: error.cause })
}
