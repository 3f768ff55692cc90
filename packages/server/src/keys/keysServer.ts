import { socialCallbackPath, socialDonePath } from '@latchkey/protocol/http/keys'
import { Hono, type MiddlewareHandler } from 'hono'
import { VerificationError } from '../emailCodes/verificationError.ts'
import { HttpError } from '../errors/httpError.ts'
import { type ServedRoute, servedRoutes } from '../http/routeList.ts'
import { boundInFlight } from '../memoryLimits/inFlightBytes.ts'
import { observeRequests, unexpectedFailure } from '../monitoring/requestLogging.ts'
import { sweepPending } from '../storage/pendingStepStore.ts'
import { crossSiteTokenRoutes } from './crossSite/crossSiteTokenRoutes.ts'
import { windowHandoverRoutes } from './crossSite/windowHandoverRoutes.ts'
import { sweepWindowHandovers } from './crossSite/windowHandoverStore.ts'
import { configRoutes } from './frame/configRoutes.ts'
import { frameRoutes } from './frame/frameRoutes.ts'
import { nodeRpcRoute } from './frame/nodeRpcRoute.ts'
import type { KeysApp, KeysEnv } from './http/defineKeysRoute.ts'
import { createEmbedders } from './http/embedderOrigins.ts'
import { pageScript, pageStyle } from './http/htmlPage.ts'
import { createIpRateLimit } from './http/ipRateLimit.ts'
import { isSameOrigin } from './http/sameOrigin.ts'
import type { Caller, KeysDependencies } from './keysDependencies.ts'
import { KeysError, refusalAnswer } from './keysError.ts'
import { createKeysServices, type KeysServices } from './keysServices.ts'
import { createDeviceVerifications } from './login/deviceVerificationLinks.ts'
import { deviceVerificationPages, deviceVerificationPath } from './login/deviceVerificationPage.ts'
import { emailChangeRoutes } from './login/emailChange.ts'
import { emailLoginRoutes } from './login/emailLogin.ts'
import { farcasterRoutes } from './login/farcaster.ts'
import { passkeyRoutes } from './login/passkeyRoutes.ts'
import { createPasskeys } from './login/passkeyStore.ts'
import { createOAuthFlows, socialPages, socialRoutes } from './login/socialLogin.ts'
import { createRequestContext } from './requestContext.ts'
import { smartAccountRoutes } from './smartAccounts/smartAccountRoutes.ts'
import { assistedCustodyRoutes } from './vault/assistedCustodyRoutes.ts'
import { deviceTransferRoutes } from './vault/deviceTransferRoutes.ts'
import { sweepDeviceTransfers } from './vault/deviceTransferStore.ts'
import { sweepReplaced } from './vault/vaultRecords.ts'
import { vaultRoutes } from './vault/vaultRoutes.ts'

/** The server for the keys origin. It serves the frame's files, and the API that only the frame can call. */
export interface KeysServer {
  (request: Request, caller?: Caller): Promise<Response>
  /** The routes that the server serves. */
  readonly routes: readonly ServedRoute[]
  /** Deletes expired entries. */
  sweep(): Promise<void>
}

/** Creates the server for the keys origin from its dependencies. */
export function createKeysServer(dependencies: KeysDependencies, { rpcBytes }: { rpcBytes: number }): KeysServer {
  const services = createKeysServices(dependencies)
  const { chain, digest, escrowKeyService, inFlight, log, metrics, now, origin, projects, rateLimiter, rateLimits } =
    services
  const embedders = createEmbedders(projects)
  const verifications = createDeviceVerifications(services)
  const oauthFlows = createOAuthFlows(services)
  const passkeys = createPasskeys(services)
  const { perAddress } = rateLimits
  const limitRate = createIpRateLimit({ name: 'keys', rateLimiter, perAddress, digest })
  const limitPageRate = createIpRateLimit({ name: 'keys page', rateLimiter, perAddress, digest })

  const app: KeysApp = new Hono()
  app.use(observeRequests({ origin: 'keys', metrics, log, clock: now }))
  app.use(provideContext(services))
  app.use(boundInFlight(inFlight))

  // Pages that users open, as opposed to API calls.
  app.get('/vault/page.css', () => asset(pageStyle, 'text/css; charset=utf-8'))
  app.get('/vault/page.js', () => asset(pageScript, 'text/javascript; charset=utf-8'))
  // Requests for these pages are counted separately from API calls, because any site can send a browser to these pages and could
  // otherwise use up the limit for API calls.
  for (const path of [deviceVerificationPath, socialCallbackPath, socialDonePath])
    app.use(path, async (c, next) => {
      await limitPageRate(c.env.address, 1)
      await next()
    })
  socialPages(app, services, oauthFlows)
  deviceVerificationPages(app, services, verifications)

  app.use('/vault/*', async (c, next) => {
    if (!isSameOrigin(c.req.raw, origin))
      throw new KeysError('origin/refused', 'Only the frame on this origin can call this')
    // Applied in addition to the limits on individual calls. Those are counted in the database, so without this limit even
    // rejected requests could keep the database busy.
    await limitRate(c.env.address, 1)
    await next()
    c.header('cache-control', 'no-store')
  })
  configRoutes(app, services, { embedders })
  emailLoginRoutes(app, services, verifications)
  emailChangeRoutes(app, services)
  vaultRoutes(app, services, passkeys)
  if (escrowKeyService) assistedCustodyRoutes(app, services, escrowKeyService)
  deviceTransferRoutes(app, services)
  windowHandoverRoutes(app, services)
  crossSiteTokenRoutes(app, services, { embedders })
  socialRoutes(app, services, { embedders, oauthFlows })
  farcasterRoutes(app, services)
  passkeyRoutes(app, services, { embedders, passkeys })
  nodeRpcRoute(app, { chain, rpcBytes, limitRate })
  smartAccountRoutes(app, services, { embedders, rpcBytes })
  app.all('/vault/*', () => {
    throw new KeysError('path/unknown', 'Not found')
  })

  frameRoutes(app, services, { embedders })

  app.notFound(() => refusalAnswer(new KeysError('path/unknown', 'Not found')))
  app.onError((error, c) => {
    if (error instanceof KeysError) return refusalAnswer(error)
    if (error instanceof VerificationError)
      return refusalAnswer(new KeysError(error.code, error.message, error.details))
    if (error instanceof HttpError) return refusalAnswer(refusalOf(error))
    return refusalAnswer(refusalOf(unexpectedFailure(error, c, log)))
  })

  return Object.assign(async (request: Request, caller: Caller = {}) => app.fetch(request, caller), {
    routes: servedRoutes(app),
    sweep: () => sweepKeys(services),
  })
}

/** Returns middleware that provides the request context, and adds its cookies and the security headers to the response. */
function provideContext({ names, accounts, now }: KeysServices): MiddlewareHandler<KeysEnv> {
  return async (c, next) => {
    const request = c.req.raw
    const context = createRequestContext({ request, address: c.env.address, names, accounts, now })
    c.set('context', context)
    await next()
    const { headers } = c.res
    for (const cookie of context.setCookies) headers.append('set-cookie', cookie)
    headers.set('x-content-type-options', 'nosniff')
    // With "no-referrer", browsers would send `Origin: null` when our own forms are submitted.
    headers.set('referrer-policy', 'same-origin')
    for (const [name, value] of Object.entries(closed)) if (!headers.has(name)) headers.set(name, value)
  }
}

async function sweepKeys(services: KeysServices): Promise<void> {
  await sweepPending(services)
  await sweepDeviceTransfers(services)
  await sweepWindowHandovers(services)
  await sweepReplaced(services)
  await services.limits.sweep()
  await services.audit.sweep()
  await services.accounts.sweep()
  await services.browsers.sweep()
}

function asset(body: string, type: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'max-age=300' } })
}

function refusalOf({ status, message, seconds }: HttpError): KeysError {
  const details = seconds === undefined ? {} : { seconds }
  if (status === 500) return new KeysError('server/failed', message)
  if (status === 503) return new KeysError('server/unavailable', message, details)
  if (status === 429) return new KeysError('limit/reached', message, details)
  return new KeysError('input/invalid', message, details)
}

// Responses other than the frame's pages must not be embedded or read by a different origin.
const closed = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const
