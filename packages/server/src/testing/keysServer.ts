import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SocialProvider } from '@latchkey/protocol/http/keys'
import { inMemoryProjects } from '../inMemoryDependencies.ts'
import type { FrameFiles } from '../keys/frameFile.ts'
import type { KeysDependencies, KeysPolicy, SocialClient } from '../keys/keysDependencies.ts'
import { createKeysServer, type KeysServer } from '../keys/keysServer.ts'
import type { Mail } from '../mail/mailer.ts'
import { createInFlight } from '../memoryLimits/inFlightBytes.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import type { Project } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { createMemoryEventBus } from '../storage/eventBus.ts'
import { pgliteConnection } from '../storage/pglite.ts'
import { keysDeclarations, withDeclaredAnswers, withDeclaredErrors } from './declaredErrors.ts'
import { createTestBrowser, type TestBrowser } from './testBrowser.ts'
import { createTestClock } from './testClock.ts'

export type { Answer, TestBrowser } from './testBrowser.ts'

/** The keys origin used in tests. */
export const keysOrigin = 'https://keys.shop.example'

/** A keys server with an empty database, a mailbox that tests can read, and a clock that tests can advance. */
export interface TestKeys {
  readonly server: KeysServer
  readonly connection: Connection
  readonly mails: Mail[]
  readonly log: string[]
  /** Advances the clock. */
  pass(ms: number): void
  browser(address?: string): TestBrowser
  /** Returns the code from the last email to this address. */
  codeFor(address: string): string
  /** Signs in by email in the given browser. */
  signIn(browser: TestBrowser, email: string): Promise<{ id: string; email: string }>
  close(): Promise<void>
}

/** Opens a database in a temporary folder. Closing the connection removes the folder. */
export async function temporaryConnection(): Promise<Connection> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-keys-'))
  const connection = pgliteConnection({ folder, idleMs: 60_000 })
  // Opened here, so that no test includes the startup time.
  await connection.use(async () => {})
  return {
    ...connection,
    close: async () => {
      await connection.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Starts a keys server. A request rejects if its response or error is not declared. Resolves once the server's database is open.
 */
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
  policy?: Partial<KeysPolicy>
  projects?: readonly Project[]
  social?: ReadonlyMap<SocialProvider, SocialClient>
  fetch?: KeysDependencies['fetch']
  frameFiles?: FrameFiles
  mailer?: KeysDependencies['mailer']
  farcaster?: KeysDependencies['farcaster']
  identify?: string
  smart?: KeysDependencies['smart']
  escrowKeyService?: KeysDependencies['escrowKeyService']
  ratePerAddress?: number
  secrets?: readonly string[]
  inFlight?: KeysDependencies['inFlight']
  chain?: KeysDependencies['chain']
} = {}): Promise<TestKeys> {
  const opened = connection ?? (await temporaryConnection())
  const mails: Mail[] = []
  const log: string[] = []
  const clock = createTestClock()
  const created = createKeysServer(
    {
      origin,
      secrets,
      connection: opened,
      projects: inMemoryProjects(projects),
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
      rateLimiter: createMemoryRateLimiter(clock.now),
      rateLimits: { perAddress: ratePerAddress },
      metrics: createMetrics(),
      log: (level, message, fields) => {
        log.push(JSON.stringify({ level, message, ...fields }))
      },
      now: clock.now,
      pause: clock.pause,
    },
    { rpcBytes: 64 * 1024 },
  )
  const server = withDeclaredAnswers(
    withDeclaredErrors(created, () => keysDeclarations),
    keysDeclarations,
  )

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
    pass: clock.pass,
    browser: (address = '203.0.113.7') => createTestBrowser({ server, origin, address }),
    codeFor,
    signIn: async (from, email) => {
      await from.send('POST', '/vault/email', { email })
      const { body } = await from.send('POST', '/vault/email/code', { otp: codeFor(email) })
      return body.user
    },
    close: () => opened.close(),
  }
}
