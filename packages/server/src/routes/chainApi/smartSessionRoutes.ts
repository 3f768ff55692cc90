import { getSmartSessions, postRevokeSmartSession } from '@latchkey/protocol/http/chainApi'
import { Hono } from 'hono'
import type { ServerDependencies } from '../../serverDependencies.ts'
import { configured, defineChainRoute } from './defineChainRoute.ts'

/** Creates the routes for the permissions that accounts have granted. */
export function smartSessionRoutes(dependencies: Pick<ServerDependencies, 'projects' | 'chainApi'>): Hono {
  const sessions = () => configured(dependencies.chainApi.sessions, 'server')
  const app = new Hono()
  defineChainRoute(app, dependencies, getSmartSessions, async ({ params: { address = '' } }) => ({
    pcis: await sessions().list(address),
  }))
  defineChainRoute(app, dependencies, postRevokeSmartSession, async ({ params: { address = '' }, body }) => {
    await sessions().revoke(address, body)
    return {}
  })
  return app
}
