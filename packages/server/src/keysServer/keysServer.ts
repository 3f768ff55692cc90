import { socialCallbackPath, socialDonePath } from '@latchkey/protocol/http/vault'
import { Hono, type MiddlewareHandler } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import { type ServedRoute, servedRoutes } from '../http/routeList.ts'
import type { VaultApp, VaultEnv } from '../keysOrigin/defineRoute.ts'
import { createEmbedders } from '../keysOrigin/embedderOrigins.ts'
import { pageScript, pageStyle } from '../keysOrigin/htmlPage.ts'
import { createIpRateLimit } from '../keysOrigin/ipRateLimit.ts'
import { sweepPending } from '../keysOrigin/pendingStepStore.ts'
import { createRequestContext } from '../keysOrigin/requestContext.ts'
import { isSameOrigin } from '../keysOrigin/sameOrigin.ts'
import type { Caller, VaultDependencies } from '../keysOrigin/vaultDependencies.ts'
import { refusalAnswer, VaultError } from '../keysOrigin/vaultError.ts'
import { createVault, type Vault } from '../keysOrigin/vaultServices.ts'
import { createApprovals } from '../login/approvalLinks.ts'
import { approvePages, approvePath } from '../login/approvalPage.ts'
import { emailChangeRoutes } from '../login/emailChange.ts'
import { emailLoginRoutes } from '../login/emailLogin.ts'
import { farcasterRoutes } from '../login/farcaster.ts'
import { passkeyRoutes } from '../login/passkeyRoutes.ts'
import { createPasskeys } from '../login/passkeyStore.ts'
import { createOAuthFlows, socialPages, socialRoutes } from '../login/socialLogin.ts'
import { boundInFlight } from '../memoryLimits/inFlightBytes.ts'
import { observeRequests, unexpectedFailure } from '../monitoring/requestLogging.ts'
import { smartAccountRoutes } from '../smartAccounts/smartAccountRoutes.ts'
import { accountRoutes } from '../vault/accountRoutes.ts'
import { assistedCustodyRoutes } from '../vault/assistedCustodyRoutes.ts'
import { crossSiteTokenRoutes } from '../vault/crossSiteTokenRoutes.ts'
import { deviceTransferRoutes } from '../vault/deviceTransferRoutes.ts'
import { frameRoutes } from '../vault/frameRoutes.ts'
import { sweepHandovers } from '../vault/handoverStore.ts'
import { sweepTransfers } from '../vault/transferStore.ts'
import { sweepReplaced } from '../vault/vaultRecords.ts'
import { vaultRpcRoute } from '../vault/vaultRpcRoute.ts'
import { windowHandoverRoutes } from '../vault/windowHandoverRoutes.ts'
import { vaultConfigRoutes } from './vaultConfigRoutes.ts'

/** The server for the keys origin. It serves the frame's files, and the API that only the frame can call. */
export interface KeysServer {
  (request: Request, caller?: Caller): Promise<Response>
  /** The routes that the server serves. */
  readonly routes: readonly ServedRoute[]
  /** Deletes expired entries. */
  sweep(): Promise<void>
}

/** Creates the server for the keys origin from its dependencies. */
export function createKeysServer(dependencies: VaultDependencies, { rpcBytes }: { rpcBytes: number }): KeysServer {
  const vault = createVault(dependencies)
  const { chain, digest, escrowKeyService, inFlight, log, metrics, now, origin, projects, rateLimiter, rateLimits } =
    vault
  const embedders = createEmbedders(projects)
  const approvals = createApprovals(vault)
  const oauthFlows = createOAuthFlows(vault)
  const passkeys = createPasskeys(vault)
  const { perAddress } = rateLimits
  const limitRate = createIpRateLimit({ name: 'keys', rateLimiter, perAddress, digest })
  const limitPageRate = createIpRateLimit({ name: 'keys page', rateLimiter, perAddress, digest })

  const app: VaultApp = new Hono()
  app.use(observeRequests({ origin: 'keys', metrics, log, clock: now }))
  app.use(provideContext(vault))
  app.use(boundInFlight(inFlight))

  // Pages that users open, as opposed to API calls.
  app.get('/vault/page.css', () => asset(pageStyle, 'text/css; charset=utf-8'))
  app.get('/vault/page.js', () => asset(pageScript, 'text/javascript; charset=utf-8'))
  // Requests for these pages are counted separately from API calls, because any site can send a browser to these pages and could
  // otherwise use up the limit for API calls.
  for (const path of [approvePath, socialCallbackPath, socialDonePath])
    app.use(path, async (c, next) => {
      await limitPageRate(c.env.address, 1)
      await next()
    })
  socialPages(app, vault, oauthFlows)
  approvePages(app, vault, approvals)

  app.use('/vault/*', async (c, next) => {
    if (!isSameOrigin(c.req.raw, origin))
      throw new VaultError('origin/refused', 'Only the frame on this origin can call this')
    // Applied in addition to the limits on individual calls. Those are counted in the database, so without this limit even
    // rejected requests could keep the database busy.
    await limitRate(c.env.address, 1)
    await next()
    c.header('cache-control', 'no-store')
  })
  vaultConfigRoutes(app, vault, { embedders })
  emailLoginRoutes(app, vault, approvals)
  emailChangeRoutes(app, vault)
  accountRoutes(app, vault, passkeys)
  if (escrowKeyService) assistedCustodyRoutes(app, vault, escrowKeyService)
  deviceTransferRoutes(app, vault)
  windowHandoverRoutes(app, vault)
  crossSiteTokenRoutes(app, vault, { embedders })
  socialRoutes(app, vault, { embedders, oauthFlows })
  farcasterRoutes(app, vault)
  passkeyRoutes(app, vault, { embedders, passkeys })
  vaultRpcRoute(app, { chain, rpcBytes, limitRate })
  smartAccountRoutes(app, vault, { embedders, rpcBytes })
  app.all('/vault/*', () => {
    throw new VaultError('path/unknown', 'Not found')
  })

  frameRoutes(app, vault, { embedders })

  app.notFound(() => refusalAnswer(new VaultError('path/unknown', 'Not found')))
  app.onError((error, c) => {
    if (error instanceof VaultError) return refusalAnswer(error)
    if (error instanceof HttpError) return refusalAnswer(refusalOf(error))
    return refusalAnswer(refusalOf(unexpectedFailure(error, c, log)))
  })

  return Object.assign(async (request: Request, caller: Caller = {}) => app.fetch(request, caller), {
    routes: servedRoutes(app),
    sweep: () => sweepVault(vault),
  })
}

/** Returns middleware that provides the request context, and adds its cookies and the security headers to the response. */
function provideContext({ names, accounts, now }: Vault): MiddlewareHandler<VaultEnv> {
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

async function sweepVault(vault: Vault): Promise<void> {
  await sweepPending(vault)
  await sweepTransfers(vault)
  await sweepHandovers(vault)
  await sweepReplaced(vault)
  await vault.limits.sweep()
  await vault.audit.sweep()
  await vault.accounts.sweep()
  await vault.browsers.sweep()
}

function asset(body: string, type: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'max-age=300' } })
}

function refusalOf({ status, message, seconds }: HttpError): VaultError {
  const details = seconds === undefined ? {} : { seconds }
  if (status === 500) return new VaultError('server/failed', message)
  if (status === 503) return new VaultError('server/unavailable', message, details)
  if (status === 429) return new VaultError('limit/reached', message, details)
  return new VaultError('input/invalid', message, details)
}

// Responses other than the frame's pages must not be embedded or read by a different origin.
const closed = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const
