import { originAllowed } from '@latchkey/protocol/origins'
import { HttpError } from './httpError.ts'
import type { Project, Projects } from './serverDependencies.ts'

/** The parts of a request that authorization depends on. */
export interface ProjectRequest {
  method: string
  projectId: string | undefined
  origin: string | undefined
  fetchSite: string | undefined
}

/**
 * Authorizes a request, or rejects it with `status`: 401 for directory and RPC, 403 for analytics.
 *
 * With no project registered, every project ID is allowed and the result is `undefined`.
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
  // Browsers omit Origin on same-origin GET requests and set Sec-Fetch-Site instead, which pages cannot set.
  if (origin === undefined) return (method === 'GET' || method === 'HEAD') && fetchSite === 'same-origin'
  return originAllowed(origin, project.allowedOrigins)
}
