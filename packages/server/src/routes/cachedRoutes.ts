import { getSupportedChains } from '@latchkey/protocol/http/chainApi'
import { getWalletImage, getWallets } from '@latchkey/protocol/http/publicRoutes'
import { HttpError } from '../errors/httpError.ts'
import { type PreparedAnswer, preparedResponse, prepareHeaders } from '../http/preparedResponse.ts'
import { callerGroups } from '../ipAddresses/ipAddressGroups.ts'
import { requestBytes } from '../memoryLimits/inFlightBytes.ts'
import { createRequestRecorder, failureOf, requestIdOf } from '../monitoring/requestLogging.ts'
import { findProject } from '../projects/authorizeProject.ts'
import { type PublicRequest, readProjectRequest } from '../projects/readProjectRequest.ts'
import { type Charge, chargedFor } from '../rateLimits/rateLimitMiddleware.ts'
import type { Caller, Project, ServerDependencies } from '../serverDependencies.ts'
import type { WalletAnswers } from './directory.ts'
import type { ImageAnswer } from './images.ts'
import type { ChainListAnswer } from './rpc.ts'

/** A route whose responses are in memory. */
interface InMemoryRoute {
  /** The path as registered, for the log and the metrics. */
  readonly path: string
  readonly charge: Charge
  readonly needsProject: boolean
  answer(request: PublicRequest): PreparedAnswer
}

const failureHeaders = prepareHeaders({ 'content-type': 'application/json' })
const imagePrefix = getWalletImage.path.slice(0, -':id'.length)

/**
 * Creates the function that responds to the most frequent requests from pages (for wallets, wallet images and supported chains)
 * if the response is in memory. It applies the same limits and checks as the routes in Hono, and logs and counts requests in the
 * same way. If nothing has to be looked up in a store, it returns a response instead of a promise, because the promises of
 * several middleware functions take longer than the rest of such a request. For other requests, it returns `undefined`.
 */
export function createCachedRoutes(
  dependencies: ServerDependencies,
  {
    walletAnswers,
    imageAnswer,
    chainListAnswer,
  }: { walletAnswers: WalletAnswers; imageAnswer: ImageAnswer; chainListAnswer: ChainListAnswer },
): (request: Request, caller: Caller) => Response | Promise<Response> | undefined {
  const { images, projects, inFlight, log, clock } = dependencies
  const record = createRequestRecorder(dependencies)
  const byPath = new Map<string, InMemoryRoute>(
    [
      {
        path: getWallets.path,
        charge: chargedFor('directory', dependencies),
        needsProject: true,
        answer: walletAnswers,
      },
      {
        path: getSupportedChains.path,
        charge: chargedFor('chain', dependencies),
        needsProject: false,
        answer: chainListAnswer,
      },
    ].map((route) => [route.path, route]),
  )
  const chargeForImage = chargedFor('images', dependencies)

  const find = (url: string): InMemoryRoute | undefined => {
    const from = url.indexOf('/', url.indexOf(':') + 4)
    const end = url.indexOf('?', from)
    const path = end < 0 ? url.slice(from) : url.slice(from, end)
    const route = byPath.get(path)
    if (route || !path.startsWith(imagePrefix)) return route
    const image = images.cached?.('wallet', path.slice(imagePrefix.length))
    if (!image) return undefined
    return {
      path: getWalletImage.path,
      charge: chargeForImage,
      needsProject: false,
      answer: (request) => imageAnswer(request, image),
    }
  }

  /** Charges the client and checks its project. Throws or rejects with an `HttpError` if the request is not allowed. */
  const allow = (
    { charge, needsProject }: InMemoryRoute,
    request: PublicRequest,
    caller: Caller,
  ): void | Promise<void> => {
    const check = (all: readonly Project[]): void => {
      if (all.length > 0) findProject(all, readProjectRequest(request), 401)
    }
    const charging = charge(request, caller, 1)
    if (!needsProject) return charging
    const all = projects.cached?.()
    if (!charging && all) return check(all)
    return Promise.resolve(charging).then(async () => check(await projects.all()))
  }

  return ({ method, url, headers }, caller) => {
    const route = method === 'GET' ? find(url) : undefined
    if (!route) return undefined
    const started = clock()
    const id = requestIdOf(caller)
    const request: PublicRequest = { method, url, header: (name) => headers.get(name) ?? undefined }
    const lease = inFlight.begin(caller.address, callerGroups(caller))
    caller.onSent?.(lease.end)

    const finish = (answer: PreparedAnswer): Response => {
      if (!caller.onSent) lease.end()
      record({ id, method, route: route.path, status: answer.status, ms: clock() - started })
      return preparedResponse(answer, id)
    }
    const refuse = (error: unknown): Response => {
      const failure = error instanceof HttpError ? error : failureOf(error, { id, method, route: route.path }, log)
      const retry = failure.seconds === undefined ? {} : { 'retry-after': String(failure.seconds) }
      const body = JSON.stringify(failure.toJSON())
      return finish({ status: failure.status, body, headers: { ...failureHeaders, ...retry } })
    }
    try {
      lease.take(requestBytes)
      const waiting = allow(route, request, caller)
      if (waiting) return waiting.then(() => finish(route.answer(request))).catch(refuse)
      return finish(route.answer(request))
    } catch (error) {
      return refuse(error)
    }
  }
}
