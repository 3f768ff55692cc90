import { getOnrampOptions, postOnrampQuote, postOnrampUrl } from '@latchkey/protocol/http/chainApi'
import { Hono } from 'hono'
import type { ServerDependencies } from '../../serverDependencies.ts'
import { configured, defineChainRoute } from './defineChainRoute.ts'

/** Creates the routes for buying crypto. */
export function onrampRoutes(dependencies: Pick<ServerDependencies, 'projects' | 'chainApi'>): Hono {
  const onramp = () => configured(dependencies.chainApi.onramp, 'server')
  const app = new Hono()
  // Without a provider, the lists are empty, so that pages do not offer to buy.
  defineChainRoute(
    app,
    dependencies,
    getOnrampOptions,
    async ({ query: { provider }, signal }) =>
      (await dependencies.chainApi.onramp?.options({ provider, signal })) ?? {
        paymentCurrencies: [],
        purchaseCurrencies: [],
        providers: [],
      },
  )
  defineChainRoute(app, dependencies, postOnrampQuote, async ({ query: { provider }, body, signal }) =>
    onramp().quote(body, { provider, signal }),
  )
  defineChainRoute(
    app,
    dependencies,
    postOnrampUrl,
    async ({ query: { provider }, body, signal, clientAddress }) => ({
      url: await onramp().url(body, { provider, signal, clientAddress }),
    }),
    { bodyStatus: 400 },
  )
  return app
}
