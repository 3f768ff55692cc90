import { getWallets } from '@latchkey/protocol/http/apiRoutes'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { HttpError } from '../errors/httpError.ts'
import { etagOf } from '../http/etag.ts'
import { hasCurrentVersion, type PreparedHeaders, prepareHeaders, respondPrepared } from '../http/preparedResponse.ts'
import { authorizeProject } from '../projects/authorizeProject.ts'
import { readProjectRequest } from '../projects/readProjectRequest.ts'
import type { DirectoryQuery, ServerDependencies } from '../serverDependencies.ts'
import { createAnswerCache } from './answerCache.ts'

const entriesMax = 100
/** The maximum size of all kept responses. A page of 40 wallets takes up about 25 kB. */
const cacheBytes = 4_194_304
/** The maximum length of a URL whose response is kept. A remembered query keeps its whole URL in memory. */
const maxUrlLength = 2_048

const headers = prepareHeaders({ 'content-type': 'application/json', 'cache-control': 'private, max-age=300' })

interface PreparedAnswer {
  readonly body: Uint8Array<ArrayBuffer>
  readonly etag: string
  readonly headers: PreparedHeaders
}

/**
 * Creates the route `GET /getWallets`, which returns a page of the wallets that match the filters. Responses to repeated queries
 * are kept as bytes, because the directory does not change.
 */
export function directoryRoutes({ directory, projects }: Pick<ServerDependencies, 'directory' | 'projects'>): Hono {
  const cache = createAnswerCache<PreparedAnswer>(cacheBytes)

  function respondKept(c: Context, { body, etag, headers }: PreparedAnswer): Response {
    return hasCurrentVersion(c, etag) ? respondPrepared(c, null, headers, 304) : respondPrepared(c, body, headers)
  }

  return new Hono().get(getWallets.path, async (c) => {
    await authorizeProject(projects, readProjectRequest(c), 401)
    const { url } = c.req
    const query = url.slice(url.indexOf('?') + 1)
    const kept = cache.get(query)
    if (kept) return respondKept(c, kept)
    const { data, count } = directory.find(parse(c.req.query()))
    const text = `{"data":[${data.join(',')}],"count":${count}}`
    if (url.length > maxUrlLength || !cache.isRepeated(query)) return respondPrepared(c, text, headers)
    const body = new TextEncoder().encode(text)
    const etag = etagOf(body)
    const answer = { body, etag, headers: { ...headers, etag } }
    cache.set(query, answer, body.length + 2 * query.length)
    return respondKept(c, answer)
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
