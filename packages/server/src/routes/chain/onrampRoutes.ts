import { getOnrampOptions, postOnrampQuote, postOnrampUrl } from '@latchkey/protocol/http/chain'
import { Hono } from 'hono'
import type { ServerDependencies } from '../../serverDependencies.ts'
import { configured, defineChainRoute } from './defineChainRoute.ts'

/** Creates the routes for buying crypto. */
export function onrampRoutes(dependencies: Pick<ServerDependencies, 'projects' | 'chainApi'>): Hono {
  const onramp = () => configured(dependencies.chainApi.onramp, 'server')
  const app = new Hono()
  defineChainRoute(app, dependencies, getOnrampOptions, async ({ signal }) => onramp().options(signal))
  defineChainRoute(app, dependencies, postOnrampQuote, async ({ body, signal }) => onramp().quote(body, signal))
  defineChainRoute(app, dependencies, postOnrampUrl, async ({ body, signal }) => ({
    url: await onramp().url(body, signal),
  }))
  return app
}
