import { originAllowed } from '@latchkey/protocol/origins'
import { Failure } from './failure.ts'
import type { Project, Projects } from './ports.ts'

/** A request as far as the guard looks at it. */
export interface Visit {
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
export async function admit(projects: Projects, visit: Visit, status: 401 | 403): Promise<Project | undefined> {
  const all = await projects.all()
  if (all.length === 0) return undefined
  const project = all.find(({ id }) => id === visit.projectId)
  if (!project) throw new Failure(status, 'projectId', 'Project not found')
  if (!mayEnter(project, visit)) throw new Failure(status, 'origin', 'Unauthorized: origin not allowed')
  return project
}

function mayEnter(project: Project, { method, origin, fetchSite }: Visit): boolean {
  if (project.allowedOrigins.length === 0) return true
  // A browser leaves Origin away on a GET of the server's own origin, and says so in a header that no page can set.
  if (origin === undefined) return (method === 'GET' || method === 'HEAD') && fetchSite === 'same-origin'
  return originAllowed(origin, project.allowedOrigins)
}
