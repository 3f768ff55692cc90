import {
  getNameRecord,
  getNameSuggestions,
  getProfile,
  getProfilesOfAddress,
  postProfile,
  postProfileAddress,
  postProfileAttributes,
} from '@latchkey/protocol/http/chainApi'
import { Hono } from 'hono'
import { HttpError } from '../../errors/httpError.ts'
import type { ServerDependencies } from '../../serverDependencies.ts'
import { definePublicRoute } from '../definePublicRoute.ts'
import { configured, defineChainRoute } from './defineChainRoute.ts'

/** Creates the routes for account names. */
export function profileRoutes(dependencies: Pick<ServerDependencies, 'projects' | 'chainApi'>): Hono {
  const names = () => configured(dependencies.chainApi.names, 'name')
  const app = new Hono()
  defineChainRoute(app, dependencies, getProfile, async ({ params: { name = '' }, query }) => {
    const found = await names().find(name)
    if (found || query.apiVersion === '2') return found
    throw new HttpError(404, 'name', 'The name is not registered')
  })
  defineChainRoute(app, dependencies, getProfilesOfAddress, async ({ params: { address = '' }, query }) => {
    const found = await names().findByAddress(address)
    if (found.length > 0 || query.apiVersion === '2') return found
    throw new HttpError(404, 'name', 'No name is registered for the address')
  })
  definePublicRoute(app, getNameRecord, async (c) => {
    const { sender = '', data = '' } = c.req.param() as Record<string, string>
    return { data: await configured(names().resolve, 'name')(sender, data) }
  })
  defineChainRoute(app, dependencies, getNameSuggestions, async ({ params: { name = '' }, query }) => ({
    suggestions: await names().suggestions(name, query.zone),
  }))
  // Clients of the specification send no project ID to these routes.
  const isProjectOptional = true
  defineChainRoute(app, dependencies, postProfile, async ({ body, signal }) => names().register(body, signal), {
    isProjectOptional,
  })
  defineChainRoute(
    app,
    dependencies,
    postProfileAttributes,
    async ({ params: { name = '' }, body, signal }) => names().setAttributes(name, body, signal),
    { isProjectOptional },
  )
  defineChainRoute(
    app,
    dependencies,
    postProfileAddress,
    async ({ params: { name = '' }, body, signal }) => names().setAddress(name, body, signal),
    { isProjectOptional },
  )
  return app
}
