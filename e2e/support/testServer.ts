import { readdir, readFile } from 'node:fs/promises'
import {
  createServer as createListener,
  type IncomingMessage,
  type Server as NodeServer,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsListener } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Mail } from '../../packages/server/src/mail/mailer.ts'
import type * as Node from '../../packages/server/src/serverFromConfig.ts'
import { built } from './buildPages.mjs'
import { loadSource } from './loadSource.ts'

// A server for a single test, built from the same parts as an operator's server. Tests can inspect its requests and responses,
// its logs and emails, and its stored data.

/** A piece of data that an operator has access to. */
export interface Captured {
  readonly where: string
  readonly text: string
}

/** A server that runs in addition to the local environment. */
export interface TestServer {
  readonly port: number
  /** The origin of the key frame. */
  readonly keys: string
  /** The origin of a page that uses the server. */
  readonly pages: string
  readonly mails: readonly Mail[]
  /** Returns the newest code that was emailed to `email`. */
  codeFor(email: string): string
  /** Sends an email as the server would. */
  send(mail: Mail): Promise<void>
  /** Writes to the server's log. */
  log(message: string, fields?: Readonly<Record<string, string>>): void
  /** Sets the origins that are allowed to embed a project's frame. `project` defaults to `'shop'`. */
  allow(origins: readonly string[], project?: string): Promise<void>
  /** Serves a different build of the frame. */
  serveFrame(folder: string): void
  /** Advances the server's clock. */
  pass(ms: number): void
  /** Queries the database of the running server. */
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Resolves to every request, response, log entry, email and setting, and every row in the database. */
  captured(): Promise<readonly Captured[]>
  /** Resolves to every file in the data folder. The server must be stopped first. */
  disk(): Promise<readonly Captured[]>
  stop(): Promise<void>
}

/** Options for a test server. */
export interface TestServerOptions {
  readonly dataFolder: string
  /** The port to listen on. Defaults to any free port. */
  readonly port?: number
  readonly rpcUrls?: string
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** The subdomain of `demo.localhost` at which the page is served. Defaults to `'pages'`. */
  readonly host?: string
  /**
   * Whether to serve the page and the frame on separate ports of `localhost`, for browsers that treat every `*.localhost` host
   * as a separate site.
   */
  readonly onLocalhost?: boolean
  /** Serves the page and the frame over HTTPS on their own hosts. */
  readonly https?: {
    readonly keysHost: string
    readonly pagesHosts: readonly [string, ...string[]]
    readonly key: string
    readonly cert: string
  }
}

/** Starts a server for a test in the test process. */
export async function startTestServer({
  dataFolder,
  port = 0,
  rpcUrls = '',
  env = {},
  host = 'pages',
  onLocalhost = false,
  https,
}: TestServerOptions): Promise<TestServer> {
  const { serverFromConfig: createNodeServer } = (await loadSource(
    'packages/server/src/serverFromConfig.ts',
  )) as typeof Node
  const { readConfig } = (await loadSource(
    'packages/server/src/config/readConfig.ts',
  )) as typeof import('../../packages/server/src/config/readConfig.ts')
  const { createLog } = (await loadSource(
    'packages/server/src/monitoring/logger.ts',
  )) as typeof import('../../packages/server/src/monitoring/logger.ts')
  const { loadFrameFiles } = (await loadSource(
    'packages/dev/src/loadFrameFiles.ts',
  )) as typeof import('../../packages/dev/src/loadFrameFiles.ts')
  const { folderFrameFiles } = (await loadSource(
    'packages/server/src/keys/frame/frameFiles.ts',
  )) as typeof import('../../packages/server/src/keys/frame/frameFiles.ts')
  const { serveFolder } = (await loadSource(
    'packages/dev/src/staticSite.ts',
  )) as typeof import('../../packages/dev/src/staticSite.ts')

  const traffic: Captured[] = []
  const logged: string[] = []
  const mails: Mail[] = []
  let answer = async (_: Request): Promise<Response> => new Response(null, { status: 503 })
  const listener = await listen(port, (request) => answer(request), https)
  const at = (listener.address() as AddressInfo).port
  const otherListener = onLocalhost ? await listen(0, (request) => answer(request)) : undefined
  const [keys, pages] = otherListener
    ? [`http://localhost:${at}`, `http://localhost:${(otherListener.address() as AddressInfo).port}`]
    : https
      ? [`https://${https.keysHost}:${at}`, `https://${https.pagesHosts[0]}:${at}`]
      : [`http://keys.demo.localhost:${at}`, `http://${host}.demo.localhost:${at}`]
  const config = {
    DATA_DIR: dataFolder,
    KEYS_URL: keys,
    SMTP_URL: 'smtp://127.0.0.1',
    MAIL_FROM: 'Demo shop <wallet@demo.localhost>',
    LOG_LEVEL: 'debug',
    ...(rpcUrls && { RPC_URLS: rpcUrls }),
    ...env,
  }
  let ahead = 0
  let frame = loadFrameFiles()
  const log = createLog({ level: 'debug', write: (line) => logged.push(line) })
  const assembled = await createNodeServer({
    config: readConfig(config),
    log,
    keys: {
      mailer: {
        send: async (mail: Mail) => {
          mails.push(mail)
        },
        close: async () => {},
      },
      frameFiles: { find: (path) => frame.find(path) },
      now: () => Date.now() + ahead,
    },
  })
  const site = serveFolder({ folder: built.pages, headers: {} })
  const pageHosts = new Set([new URL(pages).host, ...(https?.pagesHosts ?? []).map((name) => `${name}:${at}`)])

  answer = async (request) => {
    const { host: hostname, pathname } = new URL(request.url)
    if (
      pageHosts.has(hostname) ||
      (onLocalhost ? hostname.endsWith(`.${new URL(pages).host}`) : hostname.startsWith(`${host}.`))
    )
      return pathname === '/environment.json'
        ? Response.json({ keys, connect: keys.replace('keys.', 'connect.'), node: rpcUrls.split('=')[1] })
        : site(request)
    const body = request.body ? await request.clone().text() : ''
    const response = await assembled.fetch(request)
    // Skip the frame's own files, which are public and the same for every user.
    const isFile = pathname.startsWith('/assets/') || !pathname.startsWith('/vault/')
    const text = isFile ? '' : await response.clone().text()
    traffic.push({
      where: `traffic ${request.method} ${pathname}`,
      text: [
        request.url,
        JSON.stringify(Object.fromEntries(request.headers)),
        body,
        String(response.status),
        JSON.stringify([...response.headers]),
        text,
      ].join('\n'),
    })
    return response
  }

  const query: TestServer['query'] = (text) =>
    assembled.connection.use(async (database) => {
      const { rows } = (await database.execute(text)) as unknown as {
        rows: readonly Readonly<Record<string, unknown>>[]
      }
      return rows
    })

  return {
    port: at,
    keys,
    pages,
    mails,
    codeFor(email) {
      const newest = mails.filter(({ to }) => to === email).at(-1)
      const code = newest?.text.match(/^\d{6}$/m)?.[0]
      if (!code) throw new Error(`No code was emailed to ${email}.`)
      return code
    },
    send: async (mail) => {
      mails.push(mail)
    },
    log: (message, fields = {}) => log('info', message, fields),
    allow: (allowedOrigins, id = 'shop') =>
      assembled.projects.save({ id, name: 'Shop', allowedOrigins, features: [], analytics: false }),
    serveFrame(folder) {
      frame = folderFrameFiles(folder)
    },
    pass(ms) {
      ahead += ms
    },
    query,
    async captured() {
      const tables = await query(
        "select table_schema as schema, table_name as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
      )
      const rows: Captured[] = []
      for (const { schema, name } of tables)
        rows.push({
          where: `database ${name}`,
          text: JSON.stringify(await query(`select * from "${schema}"."${name}"`)),
        })
      const secret = await readFile(join(dataFolder, 'secret'), 'utf8').catch(() => '')
      return [
        ...rows,
        { where: 'config', text: JSON.stringify(config) },
        { where: 'the secret file', text: secret },
        { where: 'log', text: logged.join('') },
        ...mails.map((mail) => ({ where: `mail to ${mail.to}`, text: JSON.stringify(mail) })),
        ...traffic,
      ]
    },
    async disk() {
      const files = await readdir(dataFolder, { recursive: true, withFileTypes: true })
      return Promise.all(
        files
          .filter((file) => file.isFile())
          .map(async (file) => {
            const path = join(file.parentPath, file.name)
            return { where: path.slice(dataFolder.length + 1), text: (await readFile(path)).toString('latin1') }
          }),
      )
    },
    async stop() {
      for (const server of otherListener ? [listener, otherListener] : [listener])
        await new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
      await assembled.close()
    },
  }
}

/** Starts an HTTP server that converts each request to a Fetch API request and responds with the result of `answer`. */
function listen(
  port: number,
  answer: (request: Request) => Promise<Response>,
  tls?: { readonly key: string; readonly cert: string },
): Promise<NodeServer> {
  const listener = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const response = await answer(await requestOf(incoming, tls ? 'https' : 'http')).catch(
      () => new Response(null, { status: 500 }),
    )
    outgoing.writeHead(response.status, [...response.headers].flat())
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  }
  const server = tls ? createTlsListener(tls, listener) : createListener(listener)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

async function requestOf(incoming: IncomingMessage, protocol: 'http' | 'https'): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { method = 'GET', url = '/', headers, rawHeaders } = incoming
  const pairs = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as [string, string]] : [],
  )
  return new Request(`${protocol}://${headers.host}${url}`, {
    method,
    headers: pairs.filter(([name]) => !/^(connection|keep-alive|transfer-encoding)$/i.test(name)),
    ...(chunks.length > 0 && method !== 'GET' && method !== 'HEAD' && { body: Buffer.concat(chunks) }),
  })
}
