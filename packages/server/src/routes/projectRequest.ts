import type { Context } from 'hono'
import type { ProjectRequest } from '../authorizeProject.ts'

/** What the guard needs of a request. The project id may also stand in the header that older clients send. */
export function projectRequestOf(c: Context): ProjectRequest {
  return {
    method: c.req.method,
    projectId: c.req.query('projectId') ?? c.req.header('x-project-id'),
    origin: c.req.header('origin'),
    fetchSite: c.req.header('sec-fetch-site'),
  }
}
