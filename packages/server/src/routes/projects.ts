import { getProjectConfig, getProjectLimits } from '@latchkey/protocol/http/projectRoutes'
import { getAnalyticsConfig, getOrigins } from '@latchkey/protocol/http/publicRoutes'
import { Hono } from 'hono'
import { authorizeProject } from '../projects/authorizeProject.ts'
import { featureAnswers } from '../projects/projectFeatures.ts'
import { readProjectRequest } from '../projects/readProjectRequest.ts'
import type { ServerDependencies } from '../serverDependencies.ts'
import { definePublicRoute } from './definePublicRoute.ts'

/**
 * Creates the routes for the project settings that a page can read: the allowed origins, the enabled features, and plan
 * limits, which are never exceeded.
 */
export function projectRoutes({
  projects,
  analytics,
  socials,
  chainApi,
}: Pick<ServerDependencies, 'projects' | 'analytics' | 'socials' | 'chainApi'>): Hono {
  const app = new Hono()

  definePublicRoute(app, getOrigins, async (c) => {
    // Not restricted by origin, so that a page on a disallowed origin can find out why it was rejected.
    const project = await authorizeProject(
      projects,
      { ...readProjectRequest(c.req), origin: undefined, method: 'GET', fetchSite: 'same-origin' },
      401,
    )
    const allowedOrigins = project?.allowedOrigins ?? []
    const { origin } = readProjectRequest(c.req)
    // If every origin is allowed, the response lists the requesting origin, because clients would take an empty list to mean that
    // no origin is allowed.
    const open = allowedOrigins.length === 0 && origin !== undefined && URL.canParse(origin) ? [origin] : []
    const namesZone = chainApi.names?.zone
    return {
      allowedOrigins: [...allowedOrigins, ...open],
      ...(socials && { socials }),
      ...(namesZone && { namesZone }),
    }
  })

  definePublicRoute(app, getAnalyticsConfig, async (c) => {
    const project = await authorizeProject(projects, readProjectRequest(c.req), 401)
    return { isAnalyticsEnabled: analytics && (project?.analytics ?? true) }
  })

  definePublicRoute(app, getProjectConfig, async (c) => {
    const project = await authorizeProject(projects, readProjectRequest(c.req), 401)
    return { features: featureAnswers(project?.features ?? []) }
  })

  definePublicRoute(app, getProjectLimits, async (c) => {
    await authorizeProject(projects, readProjectRequest(c.req), 401)
    // There are no paid plans. Excessive requests receive a 429 response instead.
    return { planLimits: { tier: 'pro', isAboveRpcLimit: false, isAboveMauLimit: false } }
  })

  return app
}
