import type { IncomingMessage, Server as NodeServer } from 'node:http'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { createIntake } from './analytics/intake.ts'
import { createServer, type Server } from './app.ts'
import { assetsFolder } from './assets.ts'
import { createMemoryBus } from './bus.ts'
import { createChain } from './chain/chain.ts'
import { createUpstreams } from './chain/upstreams.ts'
import type { Connection } from './data/connection.ts'
import { databaseEvents } from './data/events.ts'
import { keptKey } from './data/keys.ts'
import { pgliteConnection } from './data/pglite.ts'
import { postgresConnection } from './data/postgres.ts'
import { databaseProjects, rememberedProjects } from './data/projects.ts'
import { createDirectory } from './directory/directory.ts'
import { readSeed } from './directory/seed.ts'
import { createImages } from './images/images.ts'
import { createMetrics } from './metrics.ts'
import type { Log, Projects } from './ports.ts'
import { createMemoryRates } from './rates.ts'
import { assembleRelay } from './relay/assemble.ts'
import type { RelaySockets } from './relay/socket.ts'
import type { KeysSettings, Settings } from './settings.ts'
import { assembleSignIn } from './signIn/assemble.ts'
import { smtpMailer } from './vault/mailer.ts'
import type { Caller, VaultPorts } from './vault/ports.ts'
import { createVerify, newVerifyKey } from './verify/verify.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A server with its stores open, not yet listening: for a listener of your own. */
export interface Assembled {
  /** Answers for both origins, told apart by the Host header: the keys origin, and everything else. */
  fetch: (request: Request, caller?: Caller) => Promise<Response>
  /** Takes the WebSocket connections of the relay in, for a listener's `upgrade`. */
  upgrade: RelaySockets['upgrade']
  /** Ends the connections of the relay, for which a closing listener would wait. */
  hangUp(): void
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
  /** Takes no new connections, lets running requests end, then closes the stores. Says whether all of them ended in time. */
  stop(): Promise<{ clean: boolean }>
}

/** The database that the settings ask for: PostgreSQL by URL, else one in a folder. */
export async function openConnection({ settings, log }: { settings: Settings; log: Log }): Promise<Connection> {
  if (settings.databaseUrl) return postgresConnection({ url: settings.databaseUrl, log })
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
  const seed = await readSeed(settings.walletsFile ?? join(assets, 'wallets.json'))
  const connection = await openConnection({ settings, log })
  const clock = () => performance.now()
  const metrics = createMetrics()
  const bus = createMemoryBus()
  const stored = databaseProjects({ connection, bus })
  const projects = rememberedProjects({ projects: stored, connection, bus, clock, keepMs: 2000 })
  const events = databaseEvents(connection)
  const intake = createIntake({ events, log })
  const rates = createMemoryRates(clock)
  const limits = { timeoutMs: settings.rpcTimeoutMs, responseBytes: settings.rpcResponseBytes }

  const chain = createChain({
    upstreams: settings.rpcUrls,
    policy: { batchMax: settings.rpcBatchMax, extraMethods: settings.rpcExtraMethods },
    send: createUpstreams({ upstreams: settings.rpcUrls, limits, fetch, metrics, log, clock }),
  })

  const addressOf = ({ headers, socket }: IncomingMessage): string | undefined =>
    seenBy(
      { headers: { get: (name) => [headers[name]].flat()[0] ?? null, has: (name) => name in headers } },
      { address: socket.remoteAddress },
    ).address
  const relay = settings.relay.isOn
    ? await assembleRelay({ settings: settings.relay, ports: { projects, rates, metrics, log }, addressOf }).catch(
        async (error: unknown) => {
          await connection.close()
          throw error
        },
      )
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
    rates,
    rateLimits: settings.rateLimits,
    relay: relay?.calls,
    verify: createVerify({
      key: () => keptKey({ connection, name: 'verify', make: newVerifyKey }),
      projects,
      scams: settings.relay.scamOrigins,
      now: Date.now,
    }),
    signIn,
    log,
    clock,
    ready: () =>
      projects.all().then(
        () => true,
        () => false,
      ),
  })

  const forget = () =>
    events.removeBefore(new Date(Date.now() - settings.analyticsDays * dayMs)).catch((error: unknown) => {
      log('warn', 'old analytics events were not removed', { error: error instanceof Error ? error.name : 'unknown' })
    })
  // Only where there is one: a directory alone need not load what accounts stand on.
  const keys =
    settings.keys &&
    (await import('./vault/assemble.ts').then(({ assembleKeys }) =>
      assembleKeys({
        settings: { ...settings, keys: settings.keys as KeysSettings },
        ports: { connection, projects, chain, metrics, bus, log, rates, ...(mailer ? { mailer } : {}), ...keysPorts },
      }),
    ))
  const keysHost = settings.keys && new URL(settings.keys.url).host
  const identifyHost = settings.identify && new URL(settings.identify.url).host

  // A proxy adds to the end of what it was given: only the last word is its own. Without the setting no header is believed.
  let warned = settings.clientAddressHeader !== undefined
  function seenBy(request: { headers: Pick<Headers, 'get' | 'has'> }, caller: Caller): Caller {
    if (!warned && request.headers.has('x-forwarded-for')) {
      warned = true
      log(
        'warn',
        'a proxy seems to stand in front, and CLIENT_ADDRESS_HEADER is not set: limits count the proxy as one visitor',
      )
    }
    const header = settings.clientAddressHeader && request.headers.get(settings.clientAddressHeader)
    const address = header ? header.split(',').at(-1)?.trim() : caller.address
    return { address }
  }

  // Opens the database once: a store that cannot be used must be known at the start, not at the first visitor.
  try {
    await projects.all()
    await forget()
  } catch (error) {
    await relay?.close()
    await connection.close()
    throw error
  }
  const daily = setInterval(() => {
    void forget()
    signIn?.sweep().catch((error: unknown) => {
      log('warn', 'old nonces were not removed', { error: error instanceof Error ? error.name : 'unknown' })
    })
    keys?.server.sweep().catch((error: unknown) => {
      log('warn', 'old sign-ins were not removed', { error: error instanceof Error ? error.name : 'unknown' })
    })
  }, dayMs)
  daily.unref()

  return {
    fetch: (request, caller = {}) => {
      // Only the configured names: a name that somebody else points at this machine gets nothing of the vault.
      const host = hostOf(request)
      if (keys && host === keysHost) return keys.server(request, seenBy(request, caller))
      if (keys?.identify && host === identifyHost) return keys.identify(request)
      return fetchHandler(request, seenBy(request, caller))
    },
    upgrade: (request, socket, head) => {
      // The keys origin has no relay: a page that got hold of it there would be somebody else's.
      if (!relay || (keysHost !== undefined && request.headers.host?.toLowerCase() === keysHost)) socket.destroy()
      else relay.sockets.upgrade(request, socket, head)
    },
    hangUp: () => relay?.sockets.close(),
    projects,
    connection,
    close: async () => {
      clearInterval(daily)
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
  const assembled = await assemble({ settings, log })
  const listener = createAdaptorServer({
    fetch: (request, env) => assembled.fetch(request, { address: env.incoming.socket.remoteAddress }),
    serverOptions: {
      requestTimeout: 60_000,
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 64 * 1024,
    },
  }) as NodeServer
  listener.on('upgrade', assembled.upgrade)
  let isStopping = false
  // While stopping, a connection whose request has ended has nothing to wait for; Node would keep it for the next one.
  const sweep = () => isStopping && listener.closeIdleConnections()
  listener.on('request', (_, response) => response.once('close', () => setImmediate(sweep)))
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
    stop: async () => {
      isStopping = true
      assembled.hangUp()
      const clean = await closeWithin(listener, settings.stopTimeoutMs)
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

function tryPort(listener: NodeServer, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      listener.off('listening', listening)
      if (error.code === 'EADDRINUSE') resolve(true)
      else reject(error)
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

function closeWithin(listener: NodeServer, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      listener.closeAllConnections()
      resolve(false)
    }, timeoutMs)
    listener.close(() => {
      clearTimeout(timer)
      resolve(true)
    })
    listener.closeIdleConnections()
  })
}
