import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { Failure } from '../failure.ts'
import type { Ports } from '../ports.ts'

const headers = { 'cache-control': 'no-store' }

/** For whoever runs the server: is it alive, is it ready, what does it do. */
export function healthRoutes({
  ready,
  metrics,
  metricsToken,
  relay,
}: Pick<Ports, 'ready' | 'metrics' | 'metricsToken' | 'relay'>): Hono {
  return new Hono()
    .get('/health', (c) => c.json({ status: 'ok' }, 200, headers))
    .get('/ready', async (c) => {
      const yes = await ready()
      // Without its mailboxes the relay keeps its connections, and all the rest works: no reason to be taken out of service.
      const isUp = relay?.isUp() ?? true
      const parts = relay ? { relay: isUp ? 'ok' : 'unavailable' } : {}
      const status = yes ? (isUp ? 'ok' : 'degraded') : 'unavailable'
      return c.json({ status, ...parts }, yes ? 200 : 503, headers)
    })
    .get('/metrics', (c) => {
      if (metricsToken === undefined) return c.notFound()
      if (!same(c.req.header('authorization'), `Bearer ${metricsToken}`)) {
        throw new Failure(401, 'authorization', 'The metrics need a bearer token')
      }
      return c.text(metrics.print(), 200, { ...headers, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    })
}

function same(given: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given ?? ''), digest(expected))
}
