import { originAllowed } from '@latchkey/protocol/origins'
import { HttpError } from '../errors/httpError.ts'
import type { Project, Projects } from '../serverDependencies.ts'

/** The parts of a request on which authorization depends. */
export interface ProjectRequest {
  method: string
  projectId: string | undefined
  origin: string | undefined
  fetchSite: string | undefined
}

/**
 * Returns the request's project, or rejects the request with `status`: 401 for the directory and RPC, 403 for analytics. If no
 * projects are registered, every project ID is allowed, and the result is `undefined`.
 */
export async function authorizeProject(
  projects: Projects,
  request: ProjectRequest,
  status: 401 | 403,
): Promise<Project | undefined> {
  return findProject(await projects.all(), request, status)
}

/**
 * Rejects a request with 401 unless its origin belongs to a registered project. For routes to which clients do not send a
 * project ID.
 */
export async function authorizeOrigin(projects: Projects, request: ProjectRequest): Promise<void> {
  const all = await projects.all()
  if (all.length > 0 && !all.some((project) => isOriginAllowed(project, request)))
    throw new HttpError(401, 'origin', 'Unauthorized: origin not allowed')
}

/** Like `authorizeProject`, but for a list of projects that is already in memory. */
export function findProject(all: readonly Project[], request: ProjectRequest, status: 401 | 403): Project | undefined {
  if (all.length === 0) return undefined
  const project = all.find(({ id }) => id === request.projectId)
  if (!project) throw new HttpError(status, 'projectId', 'Project not found')
  if (!isOriginAllowed(project, request)) throw new HttpError(status, 'origin', 'Unauthorized: origin not allowed')
  return project
}

function isOriginAllowed(project: Project, { method, origin, fetchSite }: ProjectRequest): boolean {
  if (project.allowedOrigins.length === 0) return true
  // On same-origin GET requests, browsers omit Origin but set Sec-Fetch-Site, which pages cannot forge.
  if (origin === undefined) return (method === 'GET' || method === 'HEAD') && fetchSite === 'same-origin'
  return originAllowed(origin, project.allowedOrigins)
}
