import { extname, posix } from 'node:path'
import { approvalPath, arrivalTiming, getVaultConfig, vaultRpcPath, walletPath } from '@latchkey/protocol/http/vault'
import { postIdentifyFailure } from '@latchkey/protocol/http/visitorIdentification'
import { type Context, Hono } from 'hono'
import { addressGroups } from '../clientAddress.ts'
import { HttpError } from '../httpError.ts'
import { boundInFlight, callBytes } from '../inFlightRequests.ts'
import { createApprovals } from '../login/approvalLinks.ts'
import { approvePages } from '../login/approvalPage.ts'
import { sweepPending } from '../login/challengeStore.ts'
import { emailChangeRoutes } from '../login/emailChange.ts'
import { emailLoginRoutes } from '../login/emailLogin.ts'
import { farcasterRoutes } from '../login/farcaster.ts'
import { passkeyRoutes } from '../login/passkeyRoutes.ts'
import { createPasskeys } from '../login/passkeyStore.ts'
import { createOAuthFlows, socialPages, socialRoutes } from '../login/socialLogin.ts'
import { hasPasskeys } from '../login/webAuthn.ts'
import { readLimitedText } from '../readLimitedBody.ts'
import { observeRequests, unexpectedFailure } from '../requestLogging.ts'
import { type ServedRoute, servedRoutes } from '../routeList.ts'
import { smartAccountConfig, smartAccountRoutes } from '../smartAccounts/smartAccountRoutes.ts'
import { accountRoutes } from './accountRoutes.ts'
import { assistedCustodyRoutes } from './assistedCustody.ts'
import { crossSiteTokenRoutes } from './crossSiteTokens.ts'
import { defineRoute, type VaultApp, type VaultEnv } from './defineRoute.ts'
import { sweepTransfers, transferRoutes } from './deviceTransfers.ts'
import { createEmbedders } from './embedderOrigins.ts'
import { alonePages, frameHeaders } from './frameFiles.ts'
import { pageScript, pageStyle } from './htmlPage.ts'
import { createRequestContext } from './requestContext.ts'
import { isSameOrigin } from './sameOrigin.ts'
import type { Caller, FrameFile, VaultDependencies } from './vaultDependencies.ts'
import { refusalAnswer, VaultError } from './vaultError.ts'
import { sweepReplaced } from './vaultRecords.ts'
import { createVault } from './vaultServices.ts'
import { handoverRoutes, sweepHandovers } from './windowHandovers.ts'

/** The page that opens a recovery kit offline. */
const recoveryPath = '/recovery.html'

/** The server of the keys origin: the frame's files, and the calls that only this frame can make. */
export interface KeysServer {
  (request: Request, caller?: Caller): Promise<Response>
  /** The served routes. */
  readonly routes: readonly ServedRoute[]
  /** Deletes expired entries. */
  sweep(): Promise<void>
}

/** Creates the server of the keys origin from its dependencies. */
export function createKeysServer(dependencies: VaultDependencies, { rpcBytes }: { rpcBytes: number }): KeysServer {
  const vault = createVault(dependencies)
  const { accounts, chain, digest, log, metrics, names, now, origin, projects } = vault
  const embedders = createEmbedders(projects)
  const approvals = createApprovals(vault)
  const oauthFlows = createOAuthFlows(vault)
  const passkeys = createPasskeys(vault)
  const asset = (body: string, type: string) =>
    new Response(body, { headers: { 'content-type': type, 'cache-control': 'max-age=300' } })

  const app: VaultApp = new Hono()

  async function spendRate(c: Context<VaultEnv>, count: number): Promise<void> {
    const { perAddress } = dependencies.rateLimits
    if (perAddress === 0) return
    for (const { name, share } of [...addressGroups(c.env.address)].reverse()) {
      const seconds = await dependencies.rateLimiter.take(`keys ${digest('rate', name)}`, perAddress * share, count)
      if (seconds > 0) throw new VaultError('limit/reached', 'Too many requests from this address', { seconds })
    }
  }

  app.use(observeRequests({ origin: 'keys', metrics, log, clock: now }))
  app.use(async (c, next) => {
    const request = c.req.raw
    const context = createRequestContext({
      request,
      address: c.env.address,
      names,
      accounts,
      now,
    })
    c.set('context', context)
    await next()
    const { headers } = c.res
    for (const cookie of context.setCookies) headers.append('set-cookie', cookie)
    headers.set('x-content-type-options', 'nosniff')
    // Not "no-referrer": browsers would send `Origin: null` with our own forms.
    headers.set('referrer-policy', 'same-origin')
    for (const [name, value] of Object.entries(closed)) if (!headers.has(name)) headers.set(name, value)
  })

  app.use(boundInFlight(dependencies.inFlight))

  // Pages for the user to open, not calls.
  app.get('/vault/page.css', () => asset(pageStyle, 'text/css; charset=utf-8'))
  app.get('/vault/page.js', () => asset(pageScript, 'text/javascript; charset=utf-8'))
  socialPages(app, vault, oauthFlows)
  approvePages(app, vault, approvals)

  app.use('/vault/*', async (c, next) => {
    if (!isSameOrigin(c.req.raw, origin))
      throw new VaultError('origin/refused', 'Only the frame on this origin can call this')
    // In addition to the limits of single calls, which are counted in the database: otherwise rejected requests could keep it busy.
    await spendRate(c, 1)
    await next()
    c.header('cache-control', 'no-store')
  })

  defineRoute(app, getVaultConfig, async () => ({
    custody: dependencies.escrowKeyService ? ('assisted' as const) : ('self' as const),
    origins: await embedders.patterns(),
    social: [...vault.social.keys()],
    farcaster: vault.farcaster !== undefined,
    passkeys: hasPasskeys(origin),
    networks: chain.supported(),
    ...smartAccountConfig(vault),
    ...(dependencies.smartSessions ? { smartSessions: true } : {}),
    ...(dependencies.identify ? { identify: dependencies.identify } : {}),
  }))
  defineRoute(app, postIdentifyFailure, async ({ body: { failure } }) => {
    // The operator's own configuration is at fault, so only the operator is notified.
    metrics.count('latchkey_identify_failures_total', { failure })
    log('warn', 'visitor identification failed', { failure })
    return {}
  })
  emailLoginRoutes(app, vault, approvals)
  emailChangeRoutes(app, vault)
  accountRoutes(app, vault, passkeys)
  if (dependencies.escrowKeyService) assistedCustodyRoutes(app, vault, dependencies.escrowKeyService)
  transferRoutes(app, vault)
  handoverRoutes(app, vault)
  crossSiteTokenRoutes(app, vault, { embedders })
  socialRoutes(app, vault, { embedders, oauthFlows })
  farcasterRoutes(app, vault)
  passkeyRoutes(app, vault, { embedders, passkeys })

  app.post(vaultRpcPath, async (c) => {
    const body = await readLimitedText(c.req.raw, rpcBytes)
    if (body === undefined) throw new VaultError('input/invalid', 'The call is too long')
    // The body is in memory twice: as received and as forwarded.
    c.var.lease.take(callBytes + body.length)
    const answer = await chain.send(c.req.query('chainId') ?? '', body, c.req.raw.signal, {
      // The first call of a batch was counted with the request.
      calls: (count) => (count > 1 ? spendRate(c, count - 1) : undefined),
      bytes: c.var.lease.take,
    })
    if (answer.kind === 'unsupported') throw new VaultError('input/invalid', 'This network is not supported')
    if (answer.kind === 'unavailable')
      throw new VaultError('server/unavailable', 'No node is available', { seconds: answer.seconds ?? 1 })
    return new Response(answer.body, { headers: { 'content-type': 'application/json' } })
  })

  smartAccountRoutes(app, vault, { embedders, rpcBytes })

  app.all('/vault/*', () => {
    throw new VaultError('path/unknown', 'Not found')
  })

  // Clients of the specified protocol link here from their account settings.
  app.get('/dashboard', (c) => c.redirect(walletPath, 302))

  app.get('*', async (c) => {
    const path = pathOf(c.req.raw)
    const found = await frameFile(path)
    // Users remove keys, read recovery words, approve requests and type recovery kits here. These pages must never be embedded, under any
    // path.
    const isAlone = Object.hasOwn(alonePages, path) || Object.values(alonePages).includes(path.slice(1))
    if (!found) return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
    return new Response(found.bytes, {
      headers: {
        ...frameHeaders({
          ancestors: isAlone || path === recoveryPath ? "'none'" : await embedders.sources(),
          secure: names.secure,
          frames: dependencies.identify ? [dependencies.identify] : [],
        }),
        // In browsers that do not share a channel between a frame and a window, the page talks to the frame that opened it.
        ...(path === approvalPath &&
          c.req.query('opener') !== undefined && { 'cross-origin-opener-policy': 'unsafe-none' }),
        'content-type': found.type,
        'cache-control': found.hashed ? 'public, max-age=31536000, immutable' : isAlone ? 'no-store' : 'no-cache',
        ...(isAlone && arrivalHeader(c.req.raw)),
        // Saved to be opened offline from disk; at this origin, the policy would block it.
        ...(path === recoveryPath && { 'content-disposition': 'attachment; filename="recovery.html"' }),
      },
    })
  })

  // With identification enabled, the page can embed one more origin, so it is a different file. All other files are the same.
  async function frameFile(path: string): Promise<FrameFile | undefined> {
    // Only accept canonical paths, as the checks of a path must hold for every way to request the file.
    if (path !== posix.normalize(path) || path.includes('\\')) return undefined
    if (path.startsWith('/identify/')) return undefined
    const isPage = (extname(path) === '' && !Object.hasOwn(alonePages, path)) || path === '/index.html'
    return vault.frameFiles.find(dependencies.identify && isPage ? '/identified.html' : path)
  }

  app.notFound(() => refusalAnswer(new VaultError('path/unknown', 'Not found')))
  app.onError((error, c) => {
    if (error instanceof VaultError) return refusalAnswer(error)
    if (error instanceof HttpError) return refusalAnswer(refusalOf(error))
    return refusalAnswer(refusalOf(unexpectedFailure(error, c, log)))
  })

  return Object.assign(async (request: Request, caller: Caller = {}) => app.fetch(request, caller), {
    routes: servedRoutes(app),
    sweep: async () => {
      await sweepPending(vault)
      await sweepTransfers(vault)
      await sweepHandovers(vault)
      await sweepReplaced(vault)
      await vault.limits.sweep()
      await vault.audit.sweep()
      await accounts.sweep()
      await vault.browsers.sweep()
    },
  })
}

/**
 * A header that contains how the browser navigated to the page, which its scripts cannot see: they approve no device if another page
 * opened it. Must not be cached, as a cached response would describe an earlier navigation.
 */
function arrivalHeader({ headers }: Request): Record<string, string> {
  const site = headers.get('sec-fetch-site')
  if (site === null) return {}
  const isDocument = headers.get('sec-fetch-dest') === 'document'
  const isOwner = site === 'none' && isDocument && headers.get('referer') === null
  // A redirect through another origin results in "cross-site" or "same-site", so this navigation started at a document of this origin.
  const isFrame = site === 'same-origin' && isDocument
  return { 'server-timing': `${arrivalTiming};desc=${isOwner ? 'owner' : isFrame ? 'frame' : 'page'}` }
}

function refusalOf({ status, message, seconds }: HttpError): VaultError {
  const details = seconds === undefined ? {} : { seconds }
  if (status === 500) return new VaultError('server/failed', message)
  if (status === 503) return new VaultError('server/unavailable', message, details)
  if (status === 429) return new VaultError('limit/reached', message, details)
  return new VaultError('input/invalid', message, details)
}

// Responses other than the frame's pages must never be embedded or read by another origin.
const closed = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

function pathOf(request: Request): string {
  try {
    return decodeURIComponent(new URL(request.url).pathname)
  } catch {
    return '/\0'
  }
}
