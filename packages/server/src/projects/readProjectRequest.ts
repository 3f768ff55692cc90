import { getQueryParam } from 'hono/utils/url'
import type { ProjectRequest } from './authorizeProject.ts'

/** The parts of a request that public routes read. A `HonoRequest` also matches this interface. */
export interface PublicRequest {
  readonly method: string
  readonly url: string
  header(name: string): string | undefined
}

/** Returns the parts of a request that the project check needs. */
export function readProjectRequest(request: PublicRequest): ProjectRequest {
  return {
    method: request.method,
    projectId: projectIdOf(request),
    origin: request.header('origin'),
    fetchSite: request.header('sec-fetch-site'),
  }
}

/** Returns the project ID of a request. Older clients send it in a header. */
export function projectIdOf(request: PublicRequest): string | undefined {
  return (getQueryParam(request.url, 'projectId') as string | undefined) ?? request.header('x-project-id')
}
