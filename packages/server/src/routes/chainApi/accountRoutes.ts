import { getBalances, getHistory, getIdentity, postPrices } from '@latchkey/protocol/http/chainApi'
import { Hono } from 'hono'
import { HttpError } from '../../errors/httpError.ts'
import type { ServerDependencies } from '../../serverDependencies.ts'
import { configured, defineChainRoute, WithCacheControl } from './defineChainRoute.ts'

/** Creates the routes for names, balances, histories and prices. */
export function accountRoutes(dependencies: Pick<ServerDependencies, 'projects' | 'chainApi'>): Hono {
  const { chainApi } = dependencies
  const app = new Hono()
  for (const path of [getIdentity.path, '/v1/account/:address/identity'])
    defineChainRoute(
      app,
      dependencies,
      { ...getIdentity, path },
      async ({ params: { address = '' }, query, signal }) => {
        const isForced = query.useCache === 'false'
        // Otherwise, any page could make the server read names without limit. Without registered projects, only the operator is
        // expected to use the server.
        if (isForced && (await dependencies.projects.all()).length > 0)
          throw new HttpError(401, 'useCache', 'The cache cannot be bypassed')
        const { answer, maxAge } = await configured(chainApi.identity, 'address').identity(address, {
          signal,
          isForced,
        })
        return new WithCacheControl(answer, `public, max-age=${maxAge}, s-maxage=${maxAge}`)
      },
    )
  defineChainRoute(app, dependencies, getBalances, async ({ params: { address = '' }, query, signal }) => ({
    balances: await configured(chainApi.balances, 'chainId').balances(address, query, signal),
  }))
  defineChainRoute(app, dependencies, getHistory, async ({ params: { address = '' }, query, signal }) =>
    configured(chainApi.history, 'chainId').history(address, query, signal),
  )
  defineChainRoute(app, dependencies, postPrices, async ({ body, signal }) => ({
    fungibles: await configured(chainApi.prices, 'addresses').prices(body, signal),
  }))
  return app
}
