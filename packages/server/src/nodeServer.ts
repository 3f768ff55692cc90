import type { IncomingMessage, Server as NodeServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createEventIngest } from './analytics/ingestEvents.ts'
import { createServer } from './app.ts'
import { createRpcProxy } from './chain/rpcProxy.ts'
import { createUpstreams } from './chain/upstreamNodes.ts'
import { createClientAddress } from './clientAddress.ts'
import type { KeysConfig } from './config/keysConfig.ts'
import type { Config } from './config/readConfig.ts'
import { createDrain } from './connectionDrain.ts'
import { databaseEvents } from './data/analyticsEvents.ts'
import type { Connection } from './data/databaseConnection.ts'
import { folderMustExist } from './data/durableFiles.ts'
import { createKeyRing } from './data/keyRing.ts'
import { openStore } from './data/openStore.ts'
import { pgliteConnection } from './data/pglite.ts'
import { postgresConnection } from './data/postgres.ts'
import { databaseProjects, rememberedProjects } from './data/projects.ts'
import { newSigningKey } from './data/signingKey.ts'
import { createDirectory } from './directory/directory.ts'
import { readSeed } from './directory/seedWallets.ts'
import { errorFields } from './errorLogFields.ts'
import { createMemoryEventBus } from './eventBus.ts'
import { createSweeper } from './expirySweeper.ts'
import { createGarbageCollector } from './heapCollector.ts'
import { createListener } from './httpListener.ts'
import { createImages } from './images/walletImages.ts'
import { createInFlight } from './inFlightRequests.ts'
import { smtpMailer } from './mail/smtpMailer.ts'
import { createMemoryQuota } from './memoryQuota.ts'
import { createMetrics } from './metrics.ts'
import { assetsFolder, packageVersion } from './packageFiles.ts'
import { createMemoryRateLimiter } from './rateLimiter.ts'
import { createReadiness } from './readiness.ts'
import { refuseUpgrade } from './relay/refuseUpgrade.ts'
import { relayFromConfig } from './relay/relayFromConfig.ts'
import type { RelayWebSocketServer } from './relay/webSocketServer.ts'
import type { ServedRoute, Server } from './routeList.ts'
import type { Log, Projects } from './serverDependencies.ts'
import { createSharedRateLimiter, postgresRateStore, redisRateStore } from './sharedRateLimiter.ts'
import { signInFromConfig } from './signIn/signInFromConfig.ts'
import type { Caller, VaultDependencies } from './vault/vaultDependencies.ts'
import { createAttestationSigner } from './walletConnectVerify/attestationSigner.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * 60 * 1000

/** A server with open stores that does not listen yet, for use with a custom listener. */
export interface AssembledServer {
  /** Handles requests for every origin, distinguished by the Host header. */
  fetch: (request: Request, caller?: Caller) => Promise<Response>
  /** Accepts WebSocket connections of the relay. Pass it to a listener's `upgrade` event. */
  upgrade: RelayWebSocketServer['upgrade']
  /** Makes `/ready` report that the server is shutting down. */
  drain(): void
  /** Closes the relay connections, which a closing listener would otherwise wait for. */
  hangUp(): void
  /** The served routes, by origin. */
  routes: readonly (ServedRoute & { readonly origin: 'connect' | 'keys' | 'identify' })[]
  projects: Projects
  /** The underlying database, for dumps. */
  connection: Connection
  /** Writes pending data and closes the stores. */
  close(): Promise<void>
}

/** A listening server. */
export interface RunningServer {
  url: string
  port: number
  /** The served routes, by origin. */
  routes: AssembledServer['routes']
  /**
   * Stops accepting connections, lets running requests finish, then closes the stores. Resolves to whether all of them finished in
   * time. With `drains`, `/ready` first reports the shutdown while the server keeps serving for the configured time.
   */
  stop(options?: { drains?: boolean }): Promise<{ clean: boolean }>
}

/** Opens the configured database: PostgreSQL by URL, or an embedded database in a folder. */
export async function openConnection({ config, log }: { config: Config; log: Log }): Promise<Connection> {
  const { databaseUrl, startTimeoutMs } = config
  if (databaseUrl)
    return openStore({
      open: () => postgresConnection({ url: databaseUrl, log }),
      store: { setting: 'DATABASE_URL', url: databaseUrl, product: 'PostgreSQL' },
      timeoutMs: startTimeoutMs,
      log,
    })
  return pgliteConnection({ folder: config.dataFolder })
}

/** Wires every dependency for Node: files, database, upstream nodes and, if configured, the keys origin. */
export async function createNodeServer({
  config,
  log,
  keys: keysOverrides = {},
}: {
  config: Config
  log: Log
  /** Overrides for the dependencies of the keys origin. */
  keys?: Partial<VaultDependencies>
}): Promise<AssembledServer> {
  const assets = assetsFolder()
  let draining = false
  const seed = await readSeed(config.walletsFile ?? join(assets, 'wallets.json'))
  const connection = await openConnection({ config, log })
  const clock = () => performance.now()
  const metrics = createMetrics({ version: packageVersion() })
  if (connection.pool) {
    const pool = connection.pool
    metrics.gauge('latchkey_database_connections', () => pool().total)
    metrics.gauge('latchkey_database_connections_idle', () => pool().idle)
    metrics.gauge('latchkey_database_waiting', () => pool().waiting)
  }
  const bus = createMemoryEventBus()
  const stored = databaseProjects({ connection, bus })
  const projects = rememberedProjects({ projects: stored, connection, bus, clock, keepMs: 2000 })
  const events = databaseEvents(connection)
  const intake = createEventIngest({ events, log })
  const ownRates = createMemoryRateLimiter(clock)
  const rateStore = config.relay.redisUrl
    ? await redisRateStore({ url: config.relay.redisUrl, log })
    : connection.query && postgresRateStore(connection)
  const rateLimiter = rateStore
    ? createSharedRateLimiter({ store: rateStore, fallback: ownRates, clock, log })
    : ownRates
  // At least one call with its response, whatever sizes are configured.
  const perAddress = Math.max(config.bytesPerAddress, 2 * config.rpcRequestBytes + config.rpcResponseBytes + 1_048_576)
  const collector = createGarbageCollector(clock)
  const heldBytes = createMemoryQuota(perAddress, collector.requestCollection)
  const total = Math.max(config.maxBytesTotal, 2 * (config.rpcRequestBytes + config.rpcResponseBytes))
  const inFlight = createInFlight({ perAddress, total }, heldBytes)
  metrics.gauge('latchkey_in_flight_bytes', inFlight.held)
  const limits = { timeoutMs: config.rpcTimeoutMs, responseBytes: config.rpcResponseBytes }

  const chain = createRpcProxy({
    upstreams: config.rpcUrls,
    policy: { batchMax: config.rpcBatchMax, extraMethods: config.rpcExtraMethods },
    send: createUpstreams({ upstreams: config.rpcUrls, limits, fetch, metrics, log, clock }),
  })

  const addressOf = ({ headers, socket }: IncomingMessage): string | undefined =>
    seenBy({ headers: { get: (name) => [headers[name]].flat().join(', ') || null } }, { address: socket.remoteAddress })
      .address
  const { redisUrl } = config.relay
  const openRelay = () =>
    relayFromConfig({
      config: config.relay,
      dependencies: { projects, rateLimiter, metrics, log, heldBytes },
      clientAddressOf: addressOf,
    })
  const relay = config.relay.isOn
    ? await (redisUrl === undefined
        ? openRelay()
        : openStore({
            open: openRelay,
            store: { setting: 'REDIS_URL', url: redisUrl, product: 'Redis' },
            timeoutMs: config.startTimeoutMs,
            log,
          })
      ).catch(async (error: unknown) => {
        await rateStore?.close()
        await connection.close()
        throw error
      })
    : undefined

  const mailer = keysOverrides.mailer ?? (config.mail && smtpMailer({ url: config.mail.url, from: config.mail.from }))
  const signIn =
    config.signIn &&
    signInFromConfig({
      config: config.signIn,
      connection,
      chain,
      metrics,
      mailer,
      ...(config.mail ? { mailsPerHour: config.mail.perHour } : {}),
      now: Date.now,
    })

  const fetchHandler: Server = createServer({
    directory: createDirectory(seed.wallets),
    images: createImages({ folder: config.walletImagesFolder ?? join(assets, 'wallet-images'), files: seed.images }),
    projects,
    intake,
    analytics: config.analytics,
    chain,
    metrics,
    metricsToken: config.metricsToken,
    limits: { analyticsBytes: 64 * 1024, rpcBytes: config.rpcRequestBytes },
    inFlight,
    rateLimiter,
    rateLimits: config.rateLimits,
    socials: config.keys && [
      ...(keysOverrides.social ?? config.keys.social).keys(),
      ...((keysOverrides.farcaster ?? config.keys.farcaster) ? ['farcaster'] : []),
    ],
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
      isDraining: () => draining,
    }),
  })

  // Open handles would keep the process alive.
  const giveUp = async (error: unknown): Promise<never> => {
    await rateStore?.close()
    await relay?.close()
    await connection.close()
    throw error
  }
  // Loaded only if configured: a directory alone does not need the dependencies of smart accounts.
  const keys =
    config.keys &&
    (await import('./vault/keysServerFromConfig.ts')
      .then(({ keysServerFromConfig: assembleKeys }) =>
        assembleKeys({
          config: { ...config, keys: config.keys as KeysConfig },
          dependencies: {
            connection,
            projects,
            chain,
            metrics,
            bus,
            log,
            rateLimiter,
            inFlight,
            ...(mailer ? { mailer } : {}),
            ...keysOverrides,
          },
        }),
      )
      .catch(giveUp))
  const keysHost = config.keys && new URL(config.keys.url).host
  const identifyHost = config.identify && new URL(config.identify.url).host

  const addressOfClient = createClientAddress({
    header: config.clientAddressHeader,
    proxies: config.trustedProxies,
    log,
  })
  function seenBy({ headers }: { headers: Pick<Headers, 'get'> }, caller: Caller): Caller {
    const { address, isTrusted } = addressOfClient(headers, caller.address)
    const id = isTrusted ? headers.get('x-request-id') : null
    return { ...caller, address, requestId: id !== null && /^[\w.-]{8,128}$/.test(id) ? id : undefined }
  }

  // Opens the database once, so that an unusable store is reported at startup rather than on the first request.
  try {
    await projects.all()
  } catch (error) {
    await giveUp(error)
  }
  const sweeper = createSweeper({
    tasks: [
      {
        what: 'analytics events',
        sweep: () => events.removeBefore(new Date(Date.now() - config.analyticsDays * dayMs)),
      },
      ...(signIn ? [{ what: 'nonces and codes for sign-in', sweep: () => signIn.sweep() }] : []),
      ...(keys ? [{ what: 'sign-ins of the embedded wallet', sweep: () => keys.server.sweep() }] : []),
    ],
    connection,
    log,
    fieldsOf: errorFields,
  })
  sweeper.start()
  const swept = setInterval(() => {
    connection
      .query?.({ text: 'delete from rate_limits where expire < $1', values: [Date.now()] })
      .catch((error: unknown) => log('warn', 'expired rate limits were not deleted', errorFields(error)))
  }, minuteMs)
  swept.unref()

  return {
    fetch: (request, caller = {}) => {
      // Only the configured host names: a foreign name that resolves to this machine must not reach the vault.
      const host = hostOf(request)
      if (keys && host === keysHost) return keys.server(request, seenBy(request, caller))
      if (keys?.identify && host === identifyHost) return keys.identify(request, seenBy(request, caller))
      return fetchHandler(request, seenBy(request, caller))
    },
    upgrade: (request, socket, head) => {
      // The keys origin has no relay: the relay serves pages of other origins.
      if (!relay || (keysHost !== undefined && request.headers.host?.toLowerCase() === keysHost))
        refuseUpgrade(socket, { status: 404, reason: 'Not found' })
      else relay.sockets.upgrade(request, socket, head)
    },
    drain: () => {
      draining = true
    },
    routes: [
      ...fetchHandler.routes.map((route) => ({ ...route, origin: 'connect' as const })),
      ...(keys?.server.routes ?? []).map((route) => ({ ...route, origin: 'keys' as const })),
      ...(keys?.identify?.routes ?? []).map((route) => ({ ...route, origin: 'identify' as const })),
    ],
    hangUp: () => relay?.sockets.close(),
    projects,
    connection,
    close: async () => {
      clearInterval(swept)
      collector.close()
      await rateStore?.close()
      await sweeper.stop()
      await relay?.close()
      await keys?.close()
      // The keys origin closes the mailer that it was given.
      if (!keys) await mailer?.close()
      await intake.flush()
      await connection.close()
    },
  }
}

function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
}

/** Starts a server with this configuration. */
export async function startServer({ config, log }: { config: Config; log: Log }): Promise<RunningServer> {
  await folderMustExist('FRAME_DIR', config.keys?.frameFolder)
  await folderMustExist('WALLET_IMAGES_DIR', config.walletImagesFolder)
  const assembled = await createNodeServer({ config, log })
  const listener = createListener({
    fetch: assembled.fetch,
    upgrade: assembled.upgrade,
    limits: config.listener,
  })
  const drain = createDrain(listener)
  try {
    await listen(listener, config)
  } catch (error) {
    await assembled.close()
    throw error
  }
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const host = config.host.includes(':') ? `[${config.host}]` : config.host

  return {
    url: `http://${host}:${port}`,
    port,
    routes: assembled.routes,
    stop: async ({ drains = false } = {}) => {
      assembled.drain()
      if (drains) await pause(config.drainDelayMs)
      assembled.hangUp()
      const clean = await drain.close(config.stopTimeoutMs)
      await assembled.close()
      return { clean }
    },
  }
}

async function listen(listener: NodeServer, { host, port, portIsFixed }: Config): Promise<void> {
  const ports = portIsFixed ? [port] : [...Array.from({ length: 20 }, (_, step) => port + step), 0]
  for (const candidate of ports) {
    const taken = await tryPort(listener, host, candidate)
    if (!taken) return
  }
  throw new Error(`Port ${port} on ${host} is already in use.`)
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const { code } = error
  if (code === 'EACCES')
    return new Error(`This user is not allowed to listen on port ${port}: set PORT to 1024 or higher.`, {
      cause: error,
    })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
    return new Error(
      `HOST is ${host}, which is not an address of this machine (${code}). Use 0.0.0.0 to listen on all addresses.`,
      {
        cause: error,
      },
    )
  return error
}

function tryPort(listener: NodeServer, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      listener.off('listening', listening)
      if (error.code === 'EADDRINUSE') resolve(true)
      else reject(listenFailure(error, host, port))
    }
    const listening = () => {
      listener.off('error', failed)
      resolve(false)
    }
    listener.once('error', failed)
    listener.once('listening', listening)
    listener.listen(port, host)
  })
}
