import {
  getBuildApprove,
  getConvertAllowance,
  getConvertGasPrice,
  getConvertQuotes,
  getConvertTokens,
  postBuildTransaction,
} from '@latchkey/protocol/http/chainApi'
import { Hono } from 'hono'
import type { ServerDependencies } from '../../serverDependencies.ts'
import { configured, defineChainRoute } from './defineChainRoute.ts'

/** Creates the routes for swaps. */
export function convertRoutes(dependencies: Pick<ServerDependencies, 'projects' | 'chainApi'>): Hono {
  const convert = () => configured(dependencies.chainApi.convert, 'chainId')
  const app = new Hono()
  defineChainRoute(app, dependencies, getConvertTokens, async ({ query, signal }) => ({
    tokens: await convert().tokens(query.chainId, signal),
  }))
  defineChainRoute(app, dependencies, getConvertQuotes, async ({ query, signal }) => ({
    quotes: await convert().quotes(query, signal),
  }))
  defineChainRoute(app, dependencies, getConvertAllowance, async ({ query, signal }) => ({
    allowance: await convert().allowance(query, signal),
  }))
  defineChainRoute(app, dependencies, getConvertGasPrice, async ({ query, signal }) =>
    convert().gasPrice(query.chainId, signal),
  )
  defineChainRoute(app, dependencies, getBuildApprove, async ({ query, signal }) => ({
    tx: await convert().buildApprove(query, signal),
  }))
  defineChainRoute(app, dependencies, postBuildTransaction, async ({ body, signal }) => ({
    tx: await convert().buildTransaction(body, signal),
  }))
  return app
}
