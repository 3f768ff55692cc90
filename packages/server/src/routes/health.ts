import { createHash, timingSafeEqual } from 'node:crypto'
import { getHealth, getReadiness, type ReadinessAnswer } from '@latchkey/protocol/http/healthRoutes'
import { Hono } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import type { ServerDependencies } from '../serverDependencies.ts'
import { definePublicRoute } from './definePublicRoute.ts'

const headers = { 'cache-control': 'no-store' }

/** Creates the routes for operators: liveness, readiness and metrics. */
export function healthRoutes({
  ready,
  metrics,
  metricsToken,
}: Pick<ServerDependencies, 'ready' | 'metrics' | 'metricsToken'>): Hono {
  const app = new Hono()
  definePublicRoute(app, getHealth, async () => ({ status: 'ok' }))
  return app
    .get(getReadiness.path, async (c) => {
      const { isDraining, stores } = await ready()
      // As with the health endpoints of Kubernetes, an operator can exclude a store that only some requests need, so that the
      // instance stays in service without it.
      const excluded = c.req.queries('exclude') ?? []
      const missing = Object.entries(stores).flatMap(([name, state]) => (state === 'unavailable' ? [name] : []))
      const isReady = !isDraining && missing.every((name) => excluded.includes(name))
      const isWhole = Object.values(stores).every((state) => state === 'ok')
      const status = isDraining ? 'draining' : isWhole ? 'ok' : isReady ? 'degraded' : 'unavailable'
      if (!isReady) c.header('retry-after', '2')
      const answer: ReadinessAnswer = { status, ...stores }
      return c.json(answer, isReady ? 200 : 503, headers)
    })
    .get('/metrics', async (c) => {
      if (metricsToken === undefined) return c.notFound()
      if (!same(c.req.header('authorization'), `Bearer ${metricsToken}`)) {
        throw new HttpError(401, 'authorization', 'The metrics require a bearer token')
      }
      return c.text(await metrics.print(), 200, { ...headers, 'content-type': metrics.contentType })
    })
}

function same(token: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(token ?? ''), digest(expected))
}
