import { getAnalyticsConfig, getOrigins } from '@latchkey/protocol/http/contract'
import { Hono } from 'hono'
import { admit } from '../guard.ts'
import type { Ports } from '../ports.ts'
import { visitOf } from './visit.ts'

const headers = { 'cache-control': 'no-store' }

/** What a page may know about its project: the origins it may be used from, and whether analytics are on. */
export function projectRoutes({ projects, analytics }: Pick<Ports, 'projects' | 'analytics'>): Hono {
  return new Hono()
    .get(getOrigins.path, async (c) => {
      // Not guarded by origin: a page on a wrong origin asks this in order to be told that it is one.
      const project = await admit(
        projects,
        { ...visitOf(c), origin: undefined, method: 'GET', fetchSite: 'same-origin' },
        401,
      )
      const allowedOrigins = project?.allowedOrigins ?? []
      const { origin } = visitOf(c)
      // Where every origin is allowed, the one that asks is: a client reads an empty list as one that it is not on.
      const open = allowedOrigins.length === 0 && origin !== undefined && URL.canParse(origin) ? [origin] : []
      return c.json({ allowedOrigins: [...allowedOrigins, ...open] }, 200, headers)
    })
    .get(getAnalyticsConfig.path, async (c) => {
      const project = await admit(projects, visitOf(c), 401)
      return c.json({ isAnalyticsEnabled: analytics && (project?.analytics ?? true) }, 200, headers)
    })
}
