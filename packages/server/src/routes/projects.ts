import { getAnalyticsConfig, getOrigins } from '@latchkey/protocol/http/contract'
import { Hono } from 'hono'
import { authorizeProject } from '../authorizeProject.ts'
import { featureAnswers } from '../projectFeatures.ts'
import type { Ports } from '../serverPorts.ts'
import { projectRequestOf } from './projectRequest.ts'

const headers = { 'cache-control': 'no-store' }

/** What a page may know about its project: the origins it may be used from, what is switched on for it, and that nothing is used up. */
export function projectRoutes({
  projects,
  analytics,
  socials,
}: Pick<Ports, 'projects' | 'analytics' | 'socials'>): Hono {
  return new Hono()
    .get(getOrigins.path, async (c) => {
      // Not guarded by origin: a page on a wrong origin asks this in order to be told that it is one.
      const project = await authorizeProject(
        projects,
        { ...projectRequestOf(c), origin: undefined, method: 'GET', fetchSite: 'same-origin' },
        401,
      )
      const allowedOrigins = project?.allowedOrigins ?? []
      const { origin } = projectRequestOf(c)
      // Where every origin is allowed, the one that asks is: a client reads an empty list as one that it is not on.
      const open = allowedOrigins.length === 0 && origin !== undefined && URL.canParse(origin) ? [origin] : []
      return c.json({ allowedOrigins: [...allowedOrigins, ...open], ...(socials && { socials }) }, 200, headers)
    })
    .get(getAnalyticsConfig.path, async (c) => {
      const project = await authorizeProject(projects, projectRequestOf(c), 401)
      return c.json({ isAnalyticsEnabled: analytics && (project?.analytics ?? true) }, 200, headers)
    })
    .get('/appkit/v1/config', async (c) => {
      const project = await authorizeProject(projects, projectRequestOf(c), 401)
      return c.json({ features: featureAnswers(project?.features ?? []) }, 200, headers)
    })
    .get('/appkit/v1/project-limits', async (c) => {
      await authorizeProject(projects, projectRequestOf(c), 401)
      // Nobody sells plans here: what is too much is refused with 429 where it is asked for.
      return c.json({ planLimits: { tier: 'pro', isAboveRpcLimit: false, isAboveMauLimit: false } }, 200, headers)
    })
}
