import { originAllowed } from '@latchkey/protocol/origins'
import { HttpError } from './httpError.ts'
import type { Project, Projects } from './serverPorts.ts'

/** A request as far as the guard looks at it. */
export interface ProjectRequest {
  method: string
  projectId: string | undefined
  origin: string | undefined
  fetchSite: string | undefined
}

/**
 * Lets a request in, or refuses it with `status`: 401 from directory and chain, 403 from analytics.
 *
 * With no project registered every id is welcome and the answer is `undefined`.
 */
export async function authorizeProject(
  projects: Projects,
  request: ProjectRequest,
  status: 401 | 403,
): Promise<Project | undefined> {
  const all = await projects.all()
  if (all.length === 0) return undefined
  const project = all.find(({ id }) => id === request.projectId)
  if (!project) throw new HttpError(status, 'projectId', 'Project not found')
  if (!isOriginAllowed(project, request)) throw new HttpError(status, 'origin', 'Unauthorized: origin not allowed')
  return project
}

function isOriginAllowed(project: Project, { method, origin, fetchSite }: ProjectRequest): boolean {
  if (project.allowedOrigins.length === 0) return true
  // A browser leaves Origin away on a GET of the server's own origin, and says so in a header that no page can set.
  if (origin === undefined) return (method === 'GET' || method === 'HEAD') && fetchSite === 'same-origin'
  return originAllowed(origin, project.allowedOrigins)
}
