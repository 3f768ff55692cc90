import { postEvent } from '@latchkey/protocol/http/publicRoutes'
import { Hono } from 'hono'
import { parseEvents } from '../analytics/parseEvents.ts'
import { readLimitedJson } from '../http/readLimitedBody.ts'
import { authorizeProject } from '../projects/authorizeProject.ts'
import { readProjectRequest } from '../projects/readProjectRequest.ts'
import type { ServerDependencies } from '../serverDependencies.ts'

/**
 * Creates the routes `POST /e` for one event and `POST /batch` for several. They store no information about the sender
 * other than the events themselves.
 */
export function analyticsRoutes(
  dependencies: Pick<ServerDependencies, 'projects' | 'intake' | 'analytics' | 'limits' | 'metrics'>,
): Hono {
  const { projects, intake, analytics, limits, metrics } = dependencies
  return new Hono().on('POST', [postEvent.path, '/batch'], async (c) => {
    const request = readProjectRequest(c.req)
    const project = await authorizeProject(projects, request, 403)
    // There is no depth limit here. Properties that are nested too deeply are truncated instead, so that the event is kept.
    const json = await readLimitedJson(c.req.raw, limits.analyticsBytes, { maxDepth: Number.POSITIVE_INFINITY })
    const events = parseEvents(json, (request.projectId ?? '').slice(0, 128))
    if (!analytics || project?.analytics === false) {
      metrics.count('latchkey_analytics_events_total', { outcome: 'off' }, events.length)
      return c.json({ status: 'OFF' }, 202)
    }
    const accepted = intake.accept(events)
    metrics.count('latchkey_analytics_events_total', { outcome: 'accepted' }, accepted)
    if (accepted < events.length) {
      metrics.count('latchkey_analytics_events_total', { outcome: 'dropped' }, events.length - accepted)
    }
    return c.json({ status: 'OK' }, 202)
  })
}
