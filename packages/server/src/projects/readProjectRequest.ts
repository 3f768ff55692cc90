import type { Context } from 'hono'
import type { ProjectRequest } from './authorizeProject.ts'

/** Returns the parts of a request that the project check needs. Older clients send the project ID in a header. */
export function readProjectRequest(c: Context): ProjectRequest {
  return {
    method: c.req.method,
    projectId: c.req.query('projectId') ?? c.req.header('x-project-id'),
    origin: c.req.header('origin'),
    fetchSite: c.req.header('sec-fetch-site'),
  }
}
