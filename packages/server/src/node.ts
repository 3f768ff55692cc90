import type { IncomingMessage, Server as NodeServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createIntake } from './analytics/intake.ts'
import { createServer } from './app.ts'
import { assetsFolder, packageVersion } from './assets.ts'
import { createMemoryBus } from './bus.ts'
import { createChain } from './chain/chain.ts'
import { createUpstreams } from './chain/upstreams.ts'
import { createClientAddress } from './clientAddress.ts'
import { createCollector } from './collector.ts'
import type { Connection } from './data/connection.ts'
import { databaseEvents } from './data/events.ts'
import { folderMustExist } from './data/files.ts'
import { createKeyRing } from './data/keyRing.ts'
import { pgliteConnection } from './data/pglite.ts'
import { postgresConnection } from './data/postgres.ts'
import { databaseProjects, rememberedProjects } from './data/projects.ts'
import { openStore } from './data/startStore.ts'
import { createDirectory } from './directory/directory.ts'
import { readSeed } from './directory/seed.ts'
import { createDrain } from './drain.ts'
import { errorFields } from './errorFields.ts'
import { createHeldBytes } from './heldBytes.ts'
import { createImages } from './images/images.ts'
import { createInFlight } from './inFlight.ts'
import { createListener } from './listener.ts'
import { createMetrics } from './metrics.ts'
import type { Log, Projects } from './ports.ts'
import { createMemoryRates } from './rates.ts'
import { createReadiness } from './readiness.ts'
import { refuseUpgrade } from './relay/refuseUpgrade.ts'
import { relayFromConfig } from './relay/relayFromConfig.ts'
import type { RelayWebSocketServer } from './relay/webSocketServer.ts'
import type { ServedRoute, Server } from './servedRoutes.ts'
import type { KeysSettings, Settings } from './settings.ts'
import { createSharedRates, postgresRateStore, redisRateStore } from './sharedRates.ts'
import { assembleSignIn } from './signIn/assemble.ts'
import { createSweeper } from './sweeper.ts'
import { smtpMailer } from './vault/mailer.ts'
import type { Caller, VaultPorts } from './vault/ports.ts'
import { createVerify, newVerifyKey } from './verify/verify.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * 60 * 1000

/** A server with its stores open, not yet listening: for a listener of your own. */
export interface Assembled {
  /** Answers for both origins, told apart by the Host header: the keys origin, and everything else. */
  fetch: (request: Request, caller?: Caller) => Promise<Response>
  /** Takes the WebSocket connections of the relay in, for a listener's `upgrade`. */
  upgrade: RelayWebSocketServer['upgrade']
  /** Says at `/ready` from now on that the server is about to stop. */
  drain(): void
  /** Ends the connections of the relay, for which a closing listener would wait. */
  hangUp(): void
  /** What is served, by origin. */
  routes: readonly (ServedRoute & { readonly origin: 'connect' | 'keys' | 'identify' })[]
  projects: Projects
  /** The database under all of it, for dumps. */
  connection: Connection
  /** Writes what waits and closes the stores. */
  close(): Promise<void>
}

/** A listening server. */
export interface Running {
  url: string
  port: number
  /** What is served, by origin. */
  routes: Assembled['routes']
  /**
   * Takes no new connections, lets running requests end, then closes the stores. Says whether all of them ended in time.
   * With `drains` it first says at `/ready` that it is about to stop, and goes on serving for as long as is configured.
   */
  stop(options?: { drains?: boolean }): Promise<{ clean: boolean }>
}

/** The database that the settings ask for: PostgreSQL by URL, else one in a folder. */
export async function openConnection({ settings, log }: { settings: Settings; log: Log }): Promise<Connection> {
  const { databaseUrl, startTimeoutMs } = settings
  if (databaseUrl)
    return openStore({
      open: () => postgresConnection({ url: databaseUrl, log }),
      store: { setting: 'DATABASE_URL', url: databaseUrl, product: 'PostgreSQL' },
      timeoutMs: startTimeoutMs,
      log,
    })
  return pgliteConnection({ folder: settings.dataFolder })
}

/** Wires every port for Node: files, database, upstream nodes, and those of the keys origin where there is one. */
export async function assemble({
  settings,
  log,
  keys: keysPorts = {},
}: {
  settings: Settings
  log: Log
  /** Ports of the keys origin in the place of those that the settings ask for. */
  keys?: Partial<VaultPorts>
}): Promise<Assembled> {
  const assets = assetsFolder()
  let draining = false
  const seed = await readSeed(settings.walletsFile ?? join(assets, 'wallets.json'))
  const connection = await openConnection({ settings, log })
  const clock = () => performance.now()
  const metrics = createMetrics({ version: packageVersion() })
  if (connection.pool) {
    const pool = connection.pool
    metrics.gauge('latchkey_database_connections', () => pool().total)
    metrics.gauge('latchkey_database_connections_idle', () => pool().idle)
    metrics.gauge('latchkey_database_waiting', () => pool().waiting)
  }
  const bus = createMemoryBus()
  const stored = databaseProjects({ connection, bus })
  const projects = rememberedProjects({ projects: stored, connection, bus, clock, keepMs: 2000 })
  const events = databaseEvents(connection)
  const intake = createIntake({ events, log })
  const ownRates = createMemoryRates(clock)
  const rateStore = settings.relay.redisUrl
    ? await redisRateStore({ url: settings.relay.redisUrl, log })
    : connection.query && postgresRateStore(connection)
  const rates = rateStore ? createSharedRates({ store: rateStore, fallback: ownRates, clock, log }) : ownRates
  // At least one call with its answer, whatever sizes are configured.
  const perAddress = Math.max(
    settings.bytesPerAddress,
    2 * settings.rpcRequestBytes + settings.rpcResponseBytes + 1_048_576,
  )
  const collector = createCollector(clock)
  const heldBytes = createHeldBytes(perAddress, collector.pressed)
  const total = Math.max(settings.bytesInAll, 2 * (settings.rpcRequestBytes + settings.rpcResponseBytes))
  const inFlight = createInFlight({ perAddress, total }, heldBytes)
  metrics.gauge('latchkey_in_flight_bytes', inFlight.held)
  const limits = { timeoutMs: settings.rpcTimeoutMs, responseBytes: settings.rpcResponseBytes }

  const chain = createChain({
    upstreams: settings.rpcUrls,
    policy: { batchMax: settings.rpcBatchMax, extraMethods: settings.rpcExtraMethods },
    send: createUpstreams({ upstreams: settings.rpcUrls, limits, fetch, metrics, log, clock }),
  })

  const addressOf = ({ headers, socket }: IncomingMessage): string | undefined =>
    seenBy({ headers: { get: (name) => [headers[name]].flat().join(', ') || null } }, { address: socket.remoteAddress })
      .address
  const { redisUrl } = settings.relay
  const openRelay = () =>
    relayFromConfig({
      settings: settings.relay,
      ports: { projects, rates, metrics, log, heldBytes },
      clientAddressOf: addressOf,
    })
  const relay = settings.relay.isOn
    ? await (redisUrl === undefined
        ? openRelay()
        : openStore({
            open: openRelay,
            store: { setting: 'REDIS_URL', url: redisUrl, product: 'Redis' },
            timeoutMs: settings.startTimeoutMs,
            log,
          })
      ).catch(async (error: unknown) => {
        await rateStore?.close()
        await connection.close()
        throw error
      })
    : undefined

  const mailer = keysPorts.mailer ?? (settings.mail && smtpMailer({ url: settings.mail.url, from: settings.mail.from }))
  const signIn =
    settings.signIn &&
    assembleSignIn({
      settings: settings.signIn,
      connection,
      chain,
      metrics,
      mailer,
      ...(settings.mail ? { mailsPerHour: settings.mail.perHour } : {}),
      now: Date.now,
    })

  const fetchHandler: Server = createServer({
    directory: createDirectory(seed.wallets),
    images: createImages({ folder: settings.walletImagesFolder ?? join(assets, 'wallet-images'), files: seed.images }),
    projects,
    intake,
    analytics: settings.analytics,
    chain,
    metrics,
    metricsToken: settings.metricsToken,
    limits: { analyticsBytes: 64 * 1024, rpcBytes: settings.rpcRequestBytes },
    inFlight,
    rates,
    rateLimits: settings.rateLimits,
    relay: relay?.calls,
    verify: createVerify({
      ring: createKeyRing({ connection, purpose: 'verify', make: newVerifyKey, now: Date.now, clock }),
      projects,
      scams: settings.relay.scamOrigins,
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

  // What is open would keep the process from ending.
  const giveUp = async (error: unknown): Promise<never> => {
    await rateStore?.close()
    await relay?.close()
    await connection.close()
    throw error
  }
  // Only where there is one: a directory alone need not load what accounts stand on.
  const keys =
    settings.keys &&
    (await import('./vault/assemble.ts')
      .then(({ assembleKeys }) =>
        assembleKeys({
          settings: { ...settings, keys: settings.keys as KeysSettings },
          ports: {
            connection,
            projects,
            chain,
            metrics,
            bus,
            log,
            rates,
            inFlight,
            ...(mailer ? { mailer } : {}),
            ...keysPorts,
          },
        }),
      )
      .catch(giveUp))
  const keysHost = settings.keys && new URL(settings.keys.url).host
  const identifyHost = settings.identify && new URL(settings.identify.url).host

  const addressOfClient = createClientAddress({
    header: settings.clientAddressHeader,
    proxies: settings.trustedProxies,
    log,
  })
  function seenBy({ headers }: { headers: Pick<Headers, 'get'> }, caller: Caller): Caller {
    const { address, isTrusted } = addressOfClient(headers, caller.address)
    const id = isTrusted ? headers.get('x-request-id') : null
    return { ...caller, address, requestId: id !== null && /^[\w.-]{8,128}$/.test(id) ? id : undefined }
  }

  // Opens the database once: a store that cannot be used must be known at the start, not at the first visitor.
  try {
    await projects.all()
  } catch (error) {
    await giveUp(error)
  }
  const sweeper = createSweeper({
    tasks: [
      {
        what: 'analytics events',
        sweep: () => events.removeBefore(new Date(Date.now() - settings.analyticsDays * dayMs)),
      },
      ...(signIn ? [{ what: 'nonces and codes of sign-in', sweep: () => signIn.sweep() }] : []),
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
      .catch((error: unknown) => log('warn', 'old rate limits were not removed', errorFields(error)))
  }, minuteMs)
  swept.unref()

  return {
    fetch: (request, caller = {}) => {
      // Only the configured names: a name that somebody else points at this machine gets nothing of the vault.
      const host = hostOf(request)
      if (keys && host === keysHost) return keys.server(request, seenBy(request, caller))
      if (keys?.identify && host === identifyHost) return keys.identify(request, seenBy(request, caller))
      return fetchHandler(request, seenBy(request, caller))
    },
    upgrade: (request, socket, head) => {
      // The keys origin has no relay: a page that got hold of it there would be somebody else's.
      if (!relay || (keysHost !== undefined && request.headers.host?.toLowerCase() === keysHost))
        refuseUpgrade(socket, { status: 404, reason: 'Nothing is served here' })
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
      // The keys origin ends what it was given.
      if (!keys) await mailer?.close()
      await intake.flush()
      await connection.close()
    },
  }
}

function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
}

/** Starts a server as the settings ask for. */
export async function startServer({ settings, log }: { settings: Settings; log: Log }): Promise<Running> {
  await folderMustExist('FRAME_DIR', settings.keys?.frameFolder)
  await folderMustExist('WALLET_IMAGES_DIR', settings.walletImagesFolder)
  const assembled = await assemble({ settings, log })
  const listener = createListener({
    fetch: assembled.fetch,
    upgrade: assembled.upgrade,
    limits: settings.listener,
  })
  const drain = createDrain(listener)
  try {
    await listen(listener, settings)
  } catch (error) {
    await assembled.close()
    throw error
  }
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : settings.port
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host

  return {
    url: `http://${host}:${port}`,
    port,
    routes: assembled.routes,
    stop: async ({ drains = false } = {}) => {
      assembled.drain()
      if (drains) await pause(settings.drainDelayMs)
      assembled.hangUp()
      const clean = await drain.close(settings.stopTimeoutMs)
      await assembled.close()
      return { clean }
    },
  }
}

async function listen(listener: NodeServer, { host, port, portIsFixed }: Settings): Promise<void> {
  const ports = portIsFixed ? [port] : [...Array.from({ length: 20 }, (_, step) => port + step), 0]
  for (const candidate of ports) {
    const taken = await tryPort(listener, host, candidate)
    if (!taken) return
  }
  throw new Error(`Port ${port} on ${host} is taken.`)
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const { code } = error
  if (code === 'EACCES')
    return new Error(`Port ${port} may not be listened on by this user: set PORT to one from 1024 on.`, {
      cause: error,
    })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
    return new Error(`HOST is ${host}, which is no address of this machine (${code}): 0.0.0.0 is all of them.`, {
      cause: error,
    })
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
