import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createEventIngest } from './analytics/ingestEvents.ts'
import { chainApiFromConfig } from './chainApi/chainApiFromConfig.ts'
import { readChains } from './chainApi/chainsFile.ts'
import { offchainServicesFromConfig } from './chainApi/offchainServicesFromConfig.ts'
import { type Chains, readTokenLists } from './chainApi/tokenLists.ts'
import type { Config } from './config/readConfig.ts'
import { createServer } from './createServer.ts'
import { createDirectory } from './directory/directory.ts'
import { readWalletsFile } from './directory/walletsFile.ts'
import { errorFields } from './errors/errorLogFields.ts'
import { createHostRouter, type HostRouter } from './hostRouter.ts'
import { createImages } from './images/walletImages.ts'
import { type CallerBehindProxy, createCallerBehindProxy } from './ipAddresses/callerBehindProxy.ts'
import type { KeysDependencies } from './keys/keysDependencies.ts'
import type { ConfiguredKeysServer, SharedDependencies } from './keys/keysServerFromConfig.ts'
import type { Mailer } from './mail/mailer.ts'
import { smtpMailer } from './mail/smtpMailer.ts'
import { createEarlyGarbageCollector } from './memoryLimits/earlyGarbageCollector.ts'
import { createInFlight } from './memoryLimits/inFlightBytes.ts'
import { createMemoryQuota, type MemoryQuota } from './memoryLimits/memoryQuota.ts'
import { createMetrics, type Metrics } from './monitoring/metrics.ts'
import { createReadiness } from './monitoring/readiness.ts'
import { rateLimiterFromConfig, startRateLimitCleanup } from './rateLimits/rateLimiterFromConfig.ts'
import { type ConfiguredRelay, relayFromConfig } from './relay/relayFromConfig.ts'
import { createHttpPost } from './rpcProxy/postToNode.ts'
import { createRpcProxy } from './rpcProxy/rpcProxy.ts'
import { createUpstreams } from './rpcProxy/upstreamNodes.ts'
import type { Caller, Clock, InFlight, Log, Projects, RpcProxy } from './serverDependencies.ts'
import { databaseAnalyticsEvents } from './storage/databaseAnalyticsEvents.ts'
import type { Connection } from './storage/databaseConnection.ts'
import { databaseProjects, rememberedProjects } from './storage/databaseProjects.ts'
import { createMemoryEventBus } from './storage/eventBus.ts'
import { createSweeper } from './storage/expirySweeper.ts'
import { createKeyRing } from './storage/keyRing.ts'
import { newSigningKey } from './storage/newSigningKey.ts'
import { openConnection } from './storage/openConnection.ts'
import { openStoreWithRetry } from './storage/openStoreWithRetry.ts'
import { assetsFolder, packageVersion } from './storage/packageFiles.ts'
import { createAttestationSigner } from './walletConnectVerify/attestationSigner.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A server that has opened its stores but is not listening yet. Used with a custom listener. */
export interface AssembledServer {
  /** Handles requests for all origins, which are distinguished by the `Host` header. */
  fetch: (request: Request, caller?: Caller) => Promise<Response>
  /** Like `fetch`, but returns the response instead of a promise if it is ready, which saves a listener time. */
  respond: HostRouter['respond']
  /** Accepts WebSocket connections to the relay. Pass it to a listener's `upgrade` event. */
  upgrade: HostRouter['upgrade']
  /** Makes `/ready` report that the server is shutting down. */
  drain(): void
  /** Closes the relay connections, because a closing listener would otherwise wait for them. */
  hangUp(): void
  /** The routes that the server provides, each with its origin. */
  routes: HostRouter['routes']
  /** The CAIP-2 IDs of the configured chains. */
  chains: readonly string[]
  /** The registered projects. Changes take effect immediately on this instance. */
  projects: Projects
  /** The underlying database connection, for database dumps. */
  connection: Connection
  /** Writes pending data and closes the stores. */
  close(): Promise<void>
}

/**
 * Assembles a server for Node from the configured files, stores and upstream nodes, with the keys origin if it is configured.
 *
 * @throws {Error} if the wallet list, the database or Redis cannot be used.
 *
 * @example
 * const server = await createNodeServer({ config: readConfig(process.env), log })
 * const response = await server.fetch(new Request('http://localhost/health'))
 * await server.close()
 */
export async function serverFromConfig({
  config,
  log,
  keys: keysOverrides = {},
}: {
  config: Config
  log: Log
  /** Overrides for the dependencies of the keys origin. */
  keys?: Partial<KeysDependencies>
}): Promise<AssembledServer> {
  const assets = assetsFolder()
  let isDraining = false
  const walletsFile = await readWalletsFile(config.walletsFile ?? join(assets, 'wallets.json'))
  const lists = await readConfiguredChains({ config, assets, log })
  const connection = await openConnection({ config, log })
  const clock = () => performance.now()
  const metrics = createMetrics({ version: packageVersion() })
  addDatabaseGauges(metrics, connection)
  const bus = createMemoryEventBus()
  const stored = databaseProjects({ connection, bus })
  const projects = rememberedProjects({ projects: stored, connection, bus, clock, keepMs: 2000 })
  const events = databaseAnalyticsEvents(connection)
  const intake = createEventIngest({ events, log })
  const rates = await rateLimiterFromConfig({ redisUrl: config.relay.redisUrl, connection, clock, log })
  const { rateLimiter } = rates
  const memory = createMemoryLimits({ config, metrics, clock })
  const { inFlight } = memory
  const { send, chain } = nodesOf({ config, chains: lists.chains, metrics, log, clock })
  const callerOf = createCallerBehindProxy({
    header: config.clientAddressHeader,
    proxies: config.trustedProxies,
    log,
  })
  let relay: ConfiguredRelay | undefined
  // Closes the stores, which would otherwise keep the process alive.
  const giveUp = async (error: unknown): Promise<never> => {
    await rates.close()
    await relay?.close()
    await connection.close()
    throw error
  }
  relay = await openRelay({
    config,
    dependencies: { projects, rateLimiter, metrics, log, heldBytes: memory.heldBytes },
    callerOf,
  }).catch(giveUp)

  const mailer = keysOverrides.mailer ?? (config.mail && smtpMailer({ url: config.mail.url, from: config.mail.from }))
  const signIn = await openSignIn({ config, dependencies: { connection, chain, metrics, mailer } })

  const services = await offchainServicesFromConfig({ config, connection, chain, clock, now: Date.now })
  const connect = createServer({
    directory: createDirectory(walletsFile.wallets),
    images: createImages({
      folder: config.walletImagesFolder ?? join(assets, 'wallet-images'),
      files: walletsFile.images,
    }),
    projects,
    intake,
    analytics: config.analytics,
    chain,
    chainApi: {
      ...chainApiFromConfig({
        config,
        chains: lists.chains,
        send,
        names: services.names,
        onramp: services.onramp,
        log,
        clock,
        now: Date.now,
      }),
      ...services,
    },
    metrics,
    metricsToken: config.metricsToken,
    limits: { analyticsBytes: 64 * 1024, rpcBytes: config.rpcRequestBytes },
    inFlight,
    rateLimiter,
    rateLimits: config.rateLimits,
    socials: enabledSocials(config, keysOverrides),
    relay: relay?.calls,
    verify: createAttestationSigner({
      ring: createKeyRing({ connection, purpose: 'verify', make: newSigningKey, now: Date.now, clock }),
      projects,
      scams: config.relay.scamOrigins,
      now: Date.now,
    }),
    signIn,
    log,
    clock,
    ready: createReadiness({
      stores: [
        { name: 'database', ping: connection.ping, isDiskFull: connection.isDiskFull },
        ...(relay ? [{ ...relay.calls, name: 'relay' as const }] : []),
      ],
      clock,
      isDraining: () => isDraining,
    }),
  })
  const keys = await openKeysServer({
    config,
    dependencies: { connection, projects, chain, metrics, bus, log, rateLimiter, inFlight },
    overrides: { ...(mailer ? { mailer } : {}), ...keysOverrides },
  }).catch(giveUp)
  const router = createHostRouter({
    connect,
    keys: keys && config.keys && { origin: config.keys.url, server: keys.server },
    identify: keys?.identify && config.identify && { origin: config.identify.url, server: keys.identify },
    relay: relay?.sockets,
    callerOf,
  })

  // Queries the database once, so that an unusable store is reported at startup instead of on the first request.
  await projects.all().catch(giveUp)
  const sweeper = createSweeper({
    tasks: sweeperTasks({ config, events, signIn, keys: keys?.server }),
    connection,
    log,
    fieldsOf: errorFields,
  })
  sweeper.start()
  lists.start()
  const stopRateLimitCleanup = startRateLimitCleanup({ connection, log })

  return {
    ...router,
    drain: () => {
      isDraining = true
    },
    hangUp: () => relay?.sockets.close(),
    chains: chain.supported(),
    projects,
    connection,
    close: async () => {
      stopRateLimitCleanup()
      await lists.stop()
      memory.close()
      await rates.close()
      await sweeper.stop()
      await relay?.close()
      await keys?.close()
      // If there is a keys origin, it closes the mailer itself.
      if (!keys) await mailer?.close()
      await intake.flush()
      await connection.close()
    },
  }
}

function addDatabaseGauges(metrics: Metrics, { pool }: Connection): void {
  if (!pool) return
  metrics.gauge('latchkey_database_connections', () => pool().total)
  metrics.gauge('latchkey_database_connections_idle', () => pool().idle)
  metrics.gauge('latchkey_database_waiting', () => pool().waiting)
}

/** Creates the limits on the memory that requests and clients use. Collects garbage when a limit is reached. */
function createMemoryLimits({
  config: { bytesPerAddress, maxBytesTotal, rpcRequestBytes, rpcResponseBytes },
  metrics,
  clock,
}: {
  config: Config
  metrics: Metrics
  clock: Clock
}): { readonly heldBytes: MemoryQuota; readonly inFlight: InFlight; close(): void } {
  // Allows at least one call with its response, whatever sizes are configured.
  const perAddress = Math.max(bytesPerAddress, 2 * rpcRequestBytes + rpcResponseBytes + 1_048_576)
  const total = Math.max(maxBytesTotal, 2 * (rpcRequestBytes + rpcResponseBytes))
  const collector = createEarlyGarbageCollector(clock)
  const heldBytes = createMemoryQuota(perAddress, collector.requestCollection)
  const inFlight = createInFlight({ perAddress, total }, heldBytes)
  metrics.gauge('latchkey_in_flight_bytes', inFlight.held)
  return { heldBytes, inFlight, close: collector.close }
}

/** Reads the chains in `RPC_URLS` and `CHAINS_FILE`, with their token lists. */
async function readConfiguredChains({
  config,
  assets,
  log,
}: {
  config: Config
  assets: string
  log: Log
}): Promise<Chains> {
  const packaged = { chains: join(assets, 'chains.json'), tokens: join(assets, 'tokens.json') }
  const configured = await readChains({ file: config.chainsFile, rpcUrls: config.rpcUrls, packaged })
  const folder = join(config.dataFolder, 'token-lists')
  return readTokenLists({ configured, packagedTokens: packaged.tokens, folder, fetch, log })
}

/** Opens the relay, unless it is disabled. Waits for Redis if it is configured. */
async function openRelay({
  config: { relay, startTimeoutMs },
  dependencies,
  callerOf,
}: {
  config: Config
  dependencies: Parameters<typeof relayFromConfig>[0]['dependencies']
  callerOf: CallerBehindProxy
}): Promise<ConfiguredRelay | undefined> {
  if (!relay.isOn) return undefined
  const clientAddressOf = ({ headers, socket }: IncomingMessage): string | undefined =>
    callerOf(
      { headers: { get: (name) => [headers[name]].flat().join(', ') || null } },
      { address: socket.remoteAddress },
    ).address
  const open = () => relayFromConfig({ config: relay, dependencies, clientAddressOf })
  const { redisUrl } = relay
  if (redisUrl === undefined) return open()
  return openStoreWithRetry({
    open,
    store: { setting: 'REDIS_URL', url: redisUrl, product: 'Redis' },
    timeoutMs: startTimeoutMs,
    log: dependencies.log,
  })
}

/** Creates the built-in sign-in if it is configured. */
async function openSignIn({
  config: { signIn, mail },
  dependencies,
}: {
  config: Config
  dependencies: { connection: Connection; chain: RpcProxy; metrics: Metrics; mailer: Mailer | undefined }
}): Promise<ReturnType<typeof import('./signIn/signInFromConfig.ts').signInFromConfig> | undefined> {
  if (!signIn) return undefined
  // Loaded only if configured, because its signature libraries use several megabytes.
  const { signInFromConfig } = await import('./signIn/signInFromConfig.ts')
  return signInFromConfig({
    config: signIn,
    ...dependencies,
    ...(mail ? { mailsPerHour: mail.perHour } : {}),
    now: Date.now,
  })
}

/** Opens the keys origin if it is configured. */
async function openKeysServer({
  config,
  dependencies,
  overrides,
}: {
  config: Config
  dependencies: SharedDependencies
  overrides: Partial<KeysDependencies>
}): Promise<ConfiguredKeysServer | undefined> {
  const { keys } = config
  if (!keys) return undefined
  // Loaded only if configured, because a server without an embedded wallet does not need the smart account dependencies.
  const { keysServerFromConfig } = await import('./keys/keysServerFromConfig.ts')
  return keysServerFromConfig({ config: { ...config, keys }, dependencies: { ...dependencies, ...overrides } })
}

/** Returns the social logins that the embedded wallet supports, or `undefined` if the wallet is not configured. */
function enabledSocials({ keys }: Config, overrides: Partial<KeysDependencies>): readonly string[] | undefined {
  if (!keys) return undefined
  const { social = keys.social, farcaster = keys.farcaster } = overrides
  return [...social.keys(), ...(farcaster ? ['farcaster'] : [])]
}

/** Creates the functions that send requests to the nodes of the chains: all calls, and those that pages can make. */
function nodesOf({
  config,
  chains,
  metrics,
  log,
  clock,
}: {
  config: Config
  chains: Awaited<ReturnType<typeof readConfiguredChains>>['chains']
  metrics: Metrics
  log: Log
  clock: () => number
}): { send: ReturnType<typeof createUpstreams>; chain: RpcProxy } {
  const upstreams = new Map([...chains].map(([id, { rpcUrls }]) => [id, rpcUrls]))
  const limits = { timeoutMs: config.rpcTimeoutMs, responseBytes: config.rpcResponseBytes }
  const post = createHttpPost()
  const send = createUpstreams({ upstreams, limits, fetch, post, metrics, log, clock, verifiesChains: true })
  const policy = { batchMax: config.rpcBatchMax, extraMethods: config.rpcExtraMethods }
  return { send, chain: createRpcProxy({ upstreams, policy, send }) }
}

/** Returns the tasks that remove expired data. */
function sweeperTasks({
  config,
  events,
  signIn,
  keys,
}: {
  config: Pick<Config, 'analyticsDays'>
  events: ReturnType<typeof databaseAnalyticsEvents>
  signIn: { sweep(): Promise<unknown> } | undefined
  keys: { sweep(): Promise<unknown> } | undefined
}): Parameters<typeof createSweeper>[0]['tasks'] {
  return [
    {
      what: 'analytics events',
      sweep: () => events.removeBefore(new Date(Date.now() - config.analyticsDays * dayMs)),
    },
    ...(signIn ? [{ what: 'sign-in nonces and codes', sweep: () => signIn.sweep() }] : []),
    ...(keys ? [{ what: 'logins to the embedded wallet', sweep: () => keys.sweep() }] : []),
  ]
}
