import { getWallets } from '@latchkey/protocol/http/publicRoutes'
import { Hono } from 'hono'
import { getQueryParam } from 'hono/utils/url'
import * as v from 'valibot'
import { HttpError } from '../errors/httpError.ts'
import { etagOf } from '../http/etag.ts'
import {
  type CacheableAnswer,
  cacheableAnswer,
  type PreparedAnswer,
  prepareHeaders,
  respondPrepared,
} from '../http/preparedResponse.ts'
import { authorizeProject } from '../projects/authorizeProject.ts'
import { type PublicRequest, readProjectRequest } from '../projects/readProjectRequest.ts'
import type { DirectoryQuery, ServerDependencies } from '../serverDependencies.ts'
import { createDirectoryResponseCache } from './directoryResponseCache.ts'

const entriesMax = 100
/** The maximum total size of the cached responses. A page of 40 wallets takes up about 25 kB. */
const cacheBytes = 4_194_304
/** The maximum length of a URL whose response is cached. A query that the cache remembers keeps its whole URL in memory. */
const maxUrlLength = 2_048

const headers = prepareHeaders({ 'content-type': 'application/json', 'cache-control': 'private, max-age=300' })

/** Returns the response to a request for wallets whose project has been checked. Throws an `HttpError` for an invalid query. */
export type WalletAnswers = (request: PublicRequest) => PreparedAnswer

/**
 * Creates the function that responds with a page of the wallets that match the filters. Responses to repeated queries are
 * cached as bytes, which is possible because the directory does not change.
 */
export function createWalletAnswers({ directory }: Pick<ServerDependencies, 'directory'>): WalletAnswers {
  const cache = createDirectoryResponseCache<CacheableAnswer>(cacheBytes)

  return (request) => {
    const { url } = request
    const query = url.slice(url.indexOf('?') + 1)
    const cached = cache.get(query)
    if (cached) return cacheableAnswer(request, cached)
    const { data, count } = directory.find(parse(getQueryParam(url) as unknown as Record<string, string>))
    const text = `{"data":[${data.join(',')}],"count":${count}}`
    if (url.length > maxUrlLength || !cache.isRepeated(query)) return { status: 200, body: text, headers }
    const body = new TextEncoder().encode(text)
    const etag = etagOf(body)
    const answer = { body, etag, headers: { ...headers, etag } }
    cache.set(query, answer, body.length + 2 * query.length)
    return cacheableAnswer(request, answer)
  }
}

/** Creates the route `GET /getWallets`. */
export function directoryRoutes(
  { projects }: Pick<ServerDependencies, 'projects'>,
  walletAnswers: WalletAnswers,
): Hono {
  return new Hono().get(getWallets.path, async (c) => {
    await authorizeProject(projects, readProjectRequest(c.req), 401)
    return respondPrepared(c, walletAnswers(c.req))
  })
}

function parse(query: Record<string, string>): DirectoryQuery {
  const parsed = v.safeParse(getWallets.query, query)
  if (!parsed.success) {
    const field = v.getDotPath(parsed.issues[0]) ?? 'query'
    throw new HttpError(400, field, `"${field}" is not valid`)
  }
  const { page, entries, search, badge_type, include, exclude, chains } = parsed.output
  // Newer clients send this parameter as `badge`.
  const badge = badge_type || (query.badge ?? '')
  return { page, entries: Math.min(entries, entriesMax), search, badge, include, exclude, chains }
}
