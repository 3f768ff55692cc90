import { getWallets } from '@latchkey/protocol/http/apiRoutes'
import { Hono } from 'hono'
import * as v from 'valibot'
import { HttpError } from '../errors/httpError.ts'
import { authorizeProject } from '../projects/authorizeProject.ts'
import { readProjectRequest } from '../projects/readProjectRequest.ts'
import type { DirectoryQuery, ServerDependencies } from '../serverDependencies.ts'

const entriesMax = 100

const headers = { 'content-type': 'application/json', 'cache-control': 'private, max-age=300' }

/** Creates the route `GET /getWallets`, which returns a page of the wallets that match the filters. */
export function directoryRoutes({ directory, projects }: Pick<ServerDependencies, 'directory' | 'projects'>): Hono {
  return new Hono().get(getWallets.path, async (c) => {
    await authorizeProject(projects, readProjectRequest(c), 401)
    const { data, count } = directory.find(parse(c.req.query()))
    const body = `{"data":[${data.join(',')}],"count":${count}}`
    return new Response(body, { headers })
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
