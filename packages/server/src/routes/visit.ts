import type { Context } from 'hono'
import type { Visit } from '../guard.ts'

/** What the guard needs of a request. The project id may also stand in the header that older clients send. */
export function visitOf(c: Context): Visit {
  return {
    method: c.req.method,
    projectId: c.req.query('projectId') ?? c.req.header('x-project-id'),
    origin: c.req.header('origin'),
    fetchSite: c.req.header('sec-fetch-site'),
  }
}
