import { getWallets } from '@latchkey/protocol/http/contract'
import { Hono } from 'hono'
import * as v from 'valibot'
import { createMemo } from '../directory/memo.ts'
import { Failure } from '../failure.ts'
import { admit } from '../guard.ts'
import type { DirectoryQuery, Ports } from '../ports.ts'
import { visitOf } from './visit.ts'

const entriesMax = 100

const headers = { 'content-type': 'application/json', 'cache-control': 'private, max-age=300' }

/** `GET /getWallets`: one page of the wallets that pass the filters. */
export function directoryRoutes({ directory, projects }: Pick<Ports, 'directory' | 'projects'>): Hono {
  const memo = createMemo(8 * 1024 * 1024)

  return new Hono().get(getWallets.path, async (c) => {
    await admit(projects, visitOf(c), 401)
    const asked = queryString(c.req.url)
    const known = memo.get(asked)
    if (known !== undefined) return new Response(known, { headers })

    const { data, count } = directory.find(parse(new URLSearchParams(asked)))
    const body = `{"data":[${data.join(',')}],"count":${count}}`
    memo.set(asked, body)
    return new Response(body, { headers })
  })
}

function queryString(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

function parse(query: URLSearchParams): DirectoryQuery {
  const parsed = v.safeParse(getWallets.query, Object.fromEntries(query))
  if (!parsed.success) {
    const field = v.getDotPath(parsed.issues[0]) ?? 'query'
    throw new Failure(400, field, `"${field}" cannot be read`)
  }
  const { page, entries, search, badge_type, include, exclude, chains } = parsed.output
  // Later clients ask for a rank list by the shorter name.
  const badge = badge_type || (query.get('badge') ?? '')
  return { page, entries: Math.min(entries, entriesMax), search, badge, include, exclude, chains }
}
