import { Hono } from 'hono'
import { HttpError } from './errors/httpError.ts'
import { commonHeaders, isPrepared, openHeaders } from './http/preparedResponse.ts'
import { type Server, servedRoutes } from './http/routeList.ts'
import { boundInFlight, type InFlightVariables } from './memoryLimits/inFlightBytes.ts'
import { observeRequests, type RequestVariables, unexpectedFailure } from './monitoring/requestLogging.ts'
import { rateLimit } from './rateLimits/rateLimitMiddleware.ts'
import { analyticsRoutes } from './routes/analytics.ts'
import { createCachedRoutes } from './routes/cachedRoutes.ts'
import { accountRoutes } from './routes/chainApi/accountRoutes.ts'
import { convertRoutes } from './routes/chainApi/convertRoutes.ts'
import { onrampRoutes } from './routes/chainApi/onrampRoutes.ts'
import { profileRoutes } from './routes/chainApi/profileRoutes.ts'
import { smartSessionRoutes } from './routes/chainApi/smartSessionRoutes.ts'
import { createWalletAnswers, directoryRoutes } from './routes/directory.ts'
import { healthRoutes } from './routes/health.ts'
import { createImageAnswer, imageRoutes } from './routes/images.ts'
import { projectRoutes } from './routes/projects.ts'
import { relayRoutes } from './routes/relay.ts'
import { createChainListAnswer, rpcRoutes } from './routes/rpc.ts'
import { signInRoutes } from './routes/signIn.ts'
import { walletConnectVerifyRoutes } from './routes/walletConnectVerify.ts'
import type { Caller, ServerDependencies } from './serverDependencies.ts'

const preflight = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers':
    'content-type, user-agent, referer, origin, access-control-request-method, access-control-request-headers, ' +
    'solana-client, sec-fetch-mode, x-sdk-type, x-sdk-version, x-project-id',
  'access-control-max-age': '86400',
} as const

/**
 * Creates the server from its dependencies. The server does not depend on its environment in any other way, so it can also run
 * inside another Hono app or in a test.
 *
 * @example
 * const answer = await createServer(inMemoryDependencies())(new Request('http://localhost/getWallets?page=1'))
 */
export function createServer(dependencies: ServerDependencies): Server {
  const walletAnswers = createWalletAnswers(dependencies)
  const imageAnswer = createImageAnswer()
  const chainListAnswer = createChainListAnswer(dependencies)
  const answerDirectly = createCachedRoutes(dependencies, { walletAnswers, imageAnswer, chainListAnswer })
  const app = new Hono<{ Bindings: Caller; Variables: InFlightVariables & RequestVariables }>()

  app.use(observeRequests(dependencies))
  app.use(async (c, next) => {
    await next()
    if (isPrepared(c)) return
    const headers = c.res.headers
    // Metrics are for the operator only, so pages from other origins cannot load them.
    const isMetrics = c.req.path === '/metrics'
    if (isMetrics) headers.set('cross-origin-resource-policy', 'same-origin')
    // Sign-in routes set their own CORS headers.
    const isOpen = !isMetrics && !c.req.path.startsWith('/auth/')
    for (const [name, value] of Object.entries(isOpen ? { ...openHeaders, ...commonHeaders } : commonHeaders))
      if (!headers.has(name)) headers.set(name, value)
  })
  app.use(boundInFlight(dependencies.inFlight))
  app.route('/', signInRoutes(dependencies))
  app.options('*', () => new Response(null, { status: 204, headers: preflight }))
  for (const path of ['/getWallets', '/projects/*', '/getAnalyticsConfig', '/appkit/*', '/v3/*'])
    app.use(path, rateLimit('directory', dependencies))
  for (const path of ['/getWalletImage/*', '/public/*']) app.use(path, rateLimit('images', dependencies))
  for (const path of ['/e', '/batch']) app.use(path, rateLimit('analytics', dependencies))
  for (const path of ['/v1', '/v1/*']) app.use(path, rateLimit('chain', dependencies))
  app.on('POST', '/v1/profile/*', rateLimit('names', dependencies))
  app.route('/', directoryRoutes(dependencies, walletAnswers))
  app.route('/', imageRoutes(dependencies, imageAnswer))
  app.route('/', projectRoutes(dependencies))
  app.route('/', analyticsRoutes(dependencies))
  app.route('/', rpcRoutes(dependencies, chainListAnswer))
  for (const create of [accountRoutes, convertRoutes, profileRoutes, onrampRoutes, smartSessionRoutes])
    app.route('/', create(dependencies))
  app.route('/', relayRoutes(dependencies))
  app.route('/', walletConnectVerifyRoutes(dependencies))
  app.route('/', healthRoutes(dependencies))

  app.notFound((c) => c.json(new HttpError(404, 'path', 'Not found').toJSON(), 404))
  app.onError((error, c) => {
    const failure = error instanceof HttpError ? error : unexpectedFailure(error, c, dependencies.log)
    if (failure.seconds !== undefined) c.header('retry-after', String(failure.seconds))
    return c.json(failure.toJSON(), failure.status)
  })

  const respond = (request: Request, caller: Caller = {}): Response | Promise<Response> =>
    answerDirectly(request, caller) ?? app.fetch(request, caller)
  return Object.assign(async (request: Request, caller?: Caller) => respond(request, caller), {
    respond,
    routes: servedRoutes(app),
  })
}
