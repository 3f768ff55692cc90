import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SocialProvider } from '@latchkey/protocol/http/vault'
import type { Connection } from '../data/databaseConnection.ts'
import { pgliteConnection } from '../data/pglite.ts'
import { createMemoryEventBus } from '../eventBus.ts'
import { createInFlight } from '../inFlightRequests.ts'
import { memoryProjects } from '../memoryDependencies.ts'
import { createMetrics } from '../metrics.ts'
import { createMemoryRateLimiter } from '../rateLimiter.ts'
import type { Project } from '../serverDependencies.ts'
import { createKeysServer, type KeysServer } from '../vault/keysServer.ts'
import type { FrameFiles, Mail, SocialClient, VaultDependencies, VaultPolicy } from '../vault/vaultDependencies.ts'

/** The keys origin in these tests. */
export const keysOrigin = 'https://keys.shop.example'

/** A browser on the keys origin: it stores cookies and sends the headers that a browser sends for the frame. */
export interface TestBrowser {
  readonly cookies: Map<string, string>
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** A navigation, such as from a link in a mail or a redirect of another site. */
  visit(path: string, site?: string): Promise<Response>
}

/** A parsed response. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the tests read arbitrary fields.
  readonly body: any
}

/** A keys server with an empty database, a readable mailbox and an adjustable clock. */
export interface TestKeys {
  readonly server: KeysServer
  readonly connection: Connection
  readonly mails: Mail[]
  readonly log: string[]
  /** Advances the clock. */
  pass(ms: number): void
  browser(address?: string): TestBrowser
  /** Returns the code in the last mail to this address. */
  codeFor(address: string): string
  /** Signs in a browser by email. */
  signIn(browser: TestBrowser, email: string): Promise<{ id: string; email: string }>
  close(): Promise<void>
}

/** Opens a database in a temporary folder, which is removed when it is closed. */
export async function temporaryConnection(): Promise<Connection> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-keys-'))
  const connection = pgliteConnection({ folder, idleMs: 60_000 })
  // Opened here, so that the startup time is not part of a test.
  await connection.use(async () => {})
  return {
    ...connection,
    close: async () => {
      await connection.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a keys server. */
export async function startKeys({
  connection,
  origin = keysOrigin,
  policy = {},
  projects = [],
  social = new Map(),
  fetch = async () => new Response(null, { status: 404 }),
  frameFiles = { find: async () => undefined },
  mailer,
  farcaster,
  identify,
  smart,
  escrowKeyService,
  ratePerAddress = 0,
  secrets = ['a secret of these tests'],
  inFlight = createInFlight(),
  chain = { supported: () => ['eip155:1'], send: async (_, body) => ({ kind: 'answered', body }) },
}: {
  connection?: Connection
  origin?: string
  policy?: Partial<VaultPolicy>
  projects?: readonly Project[]
  social?: ReadonlyMap<SocialProvider, SocialClient>
  fetch?: VaultDependencies['fetch']
  frameFiles?: FrameFiles
  mailer?: VaultDependencies['mailer']
  farcaster?: VaultDependencies['farcaster']
  identify?: string
  smart?: VaultDependencies['smart']
  escrowKeyService?: VaultDependencies['escrowKeyService']
  ratePerAddress?: number
  secrets?: readonly string[]
  inFlight?: VaultDependencies['inFlight']
  chain?: VaultDependencies['chain']
} = {}): Promise<TestKeys> {
  const opened = connection ?? (await temporaryConnection())
  const mails: Mail[] = []
  const log: string[] = []
  let passed = 0
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  const server = createKeysServer(
    {
      origin,
      secrets,
      connection: opened,
      projects: memoryProjects(projects),
      chain,
      farcaster,
      identify,
      smart,
      escrowKeyService,
      mailer: mailer ?? {
        send: async (mail) => {
          mails.push(mail)
        },
        close: async () => {},
      },
      frameFiles,
      social,
      policy: {
        sessionMs: 7 * 24 * 60 * 60_000,
        approveDevices: () => false,
        mailsPerHour: 2000,
        deviceHoldMs: 0,
        ...policy,
      },
      fetch,
      bus: createMemoryEventBus(),
      inFlight,
      rateLimiter: createMemoryRateLimiter(() => Date.now() + passed),
      rateLimits: { perAddress: ratePerAddress },
      metrics: createMetrics(),
      log: (level, message, fields) => {
        log.push(JSON.stringify({ level, message, ...fields }))
      },
      now: () => Date.now() + passed,
      // Waits by the clock of these tests.
      pause: (ms, signal) =>
        new Promise((resolve) => {
          const sleeper = {
            until: passed + ms,
            wake: () => {
              sleepers.delete(sleeper)
              resolve()
            },
          }
          sleepers.add(sleeper)
          signal.addEventListener('abort', sleeper.wake, { once: true })
        }),
    },
    { rpcBytes: 64 * 1024 },
  )

  function browser(address = '203.0.113.7'): TestBrowser {
    const cookies = new Map<string, string>()
    async function ask(path: string, init: RequestInit): Promise<Response> {
      const headers = new Headers(init.headers)
      if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      const answer = await server(new Request(new URL(path, origin), { ...init, headers }), { address })
      for (const line of answer.headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split(/;\s*/)
        const at = pair.indexOf('=')
        const isGone = attributes.some((attribute) => /^max-age=0$/i.test(attribute))
        if (isGone) cookies.delete(pair.slice(0, at))
        else cookies.set(pair.slice(0, at), pair.slice(at + 1))
      }
      return answer
    }
    return {
      cookies,
      send: async (method, path, body, headers = {}) => {
        const answer = await ask(path, {
          method,
          headers: {
            'sec-fetch-site': 'same-origin',
            ...(method === 'GET' ? {} : { origin }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        const isJson = answer.headers.get('content-type')?.includes('json')
        return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
      },
      visit: (path, site = 'cross-site') =>
        ask(path, { headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' } }),
    }
  }

  const codeFor = (address: string): string => {
    const mail = mails.findLast(({ to }) => to === address)
    const code = mail?.text.match(/^\d{6}$/m)?.[0]
    if (!code) throw new Error(`No code was emailed to ${address}`)
    return code
  }

  return {
    server,
    connection: opened,
    mails,
    log,
    pass: (ms) => {
      passed += ms
      for (const { until, wake } of [...sleepers]) if (until <= passed) wake()
    },
    browser,
    codeFor,
    signIn: async (from, email) => {
      await from.send('POST', '/vault/email', { email })
      const { body } = await from.send('POST', '/vault/email/code', { otp: codeFor(email) })
      return body.user
    },
    close: () => opened.close(),
  }
}
