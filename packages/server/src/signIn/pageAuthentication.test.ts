import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuthenticationAdapter, type ServerSignInOptions, serverSignIn } from '@latchkey/core/sign-in'
import { type AuthenticationSubject, authenticationTestSuite, memoryStorage } from '@latchkey/core/testing'
import { type AccountId, addressOf, type ChainId } from '@latchkey/protocol/caip'
import { type FakeClock, fakeClock } from '@latchkey/protocol/testing'
import { createSignIn, memoryReplayStore } from '@latchkey/siwx'
import { writeMessage } from '@latchkey/siwx/message'
import type { TokenTransportMode } from '@latchkey/siwx/server'
import { signWith } from '@latchkey/siwx/testing'
import { eip155Verifier } from '@latchkey/siwx/verify/eip155'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inMemoryDependencies, inMemoryProjects } from '../inMemoryDependencies.ts'
import type { Mailer } from '../mail/mailer.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { pgliteConnection } from '../storage/pglite.ts'
import { createTestServer } from '../testing/declaredErrors.ts'
import { signInFromConfig } from './signInFromConfig.ts'

const mainnet: ChainId = 'eip155:1'
const polygon: ChainId = 'eip155:137'
const shop = 'https://shop.example'
const start = Date.UTC(2026, 10, 22)
const ada = signWith('eip155', 1)
const bob = signWith('eip155', 2)

type Handle = (request: Request) => Promise<Response>

function library(transport: TokenTransportMode, clock: FakeClock): Handle {
  return createSignIn({
    origins: [shop],
    secret: 'a test secret of at least 32 characters',
    verifiers: { eip155: eip155Verifier() },
    replayStore: memoryReplayStore(clock.now),
    session: { transport },
    clock: clock.now,
  }).handle
}

/** Creates a page on the same site as its server. The page's `fetch` adds the headers that a browser would send. */
function page(transport: TokenTransportMode, options: Partial<ServerSignInOptions> = {}, handle?: Handle) {
  const clock = fakeClock(start)
  const answers = handle ?? library(transport, clock)
  const storage = memoryStorage()
  const cookies = new Map<string, string>()
  const authentication = serverSignIn({
    url: 'https://connect.shop.example',
    projectId: 'shop',
    mode: transport,
    origin: shop,
    storage,
    clock,
    async fetch(input, init) {
      const request = new Request(input, init)
      request.headers.set('origin', options.origin ?? shop)
      if (request.credentials === 'include')
        request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      const answer = await answers(request)
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (line.includes('Max-Age=0')) cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
    ...options,
  })
  return { authentication, clock, storage, cookies }
}

async function signIn(authentication: AuthenticationAdapter, account: AccountId): Promise<void> {
  const words = await authentication.createMessage({ account, chain: mainnet })
  const data = { ...words, chainId: mainnet, accountAddress: addressOf(account) }
  const message = writeMessage(data)
  await authentication.addSession({ data, message, signature: await sign({ account, message }) })
}

function sign({ account, message }: { account: AccountId; message: string }): Promise<string> {
  return (addressOf(account) === addressOf(ada.account(mainnet)) ? ada : bob).sign(message)
}

describe.each([
  ['cookie', 'each'],
  ['token', 'newest'],
] as const)('the authentication test suite against this server, with a %s', (transport, holds) => {
  const make = (): AuthenticationSubject => {
    const { authentication, clock } = page(transport)
    const accounts = [ada.account(mainnet), ada.account(polygon), bob.account(mainnet)] as const
    return { authentication, accounts, sign, holds, setsOne: true, pass: clock.pass }
  }
  for (const { name, run } of authenticationTestSuite(make)) test(name, run)

  test('a user whose clock is a year ahead can sign in [R3.10]', async () => {
    const { authentication } = page(transport, { clock: fakeClock(Date.UTC(2027, 10, 22)) })
    const account = ada.account(mainnet)
    await signIn(authentication, account)
    expect(await authentication.account()).toMatchObject({ account, expiresAt: Date.UTC(2026, 10, 23) })
    expect(await authentication.getSessions(account)).toHaveLength(1)
  })

  test('a page stores only its token, and in cookie mode it stores nothing [R3.17]', async () => {
    const { authentication, storage, cookies } = page(transport)
    const account = ada.account(mainnet)
    await signIn(authentication, account)
    const inPage = transport === 'token' ? ['@latchkey/siwx-auth-token'] : []
    expect(Object.keys(storage.all())).toEqual(inPage)
    expect(cookies.size > 0).toBe(transport === 'cookie')
    await authentication.signOut()
    expect(storage.all()).toEqual({})
    expect(await authentication.getSessions(account)).toEqual([])
  })
})

describe('with the complete server', () => {
  const account = ada.account(mainnet)
  let folder: string
  let connection: Connection

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-authentication-'))
    connection = pgliteConnection({ folder })
  })
  afterAll(async () => {
    await connection.close()
    await rm(folder, { recursive: true })
  })

  const whole = (transport: TokenTransportMode, mailer?: Mailer): Handle => {
    const about = { name: '', features: [], analytics: true }
    const ports = inMemoryDependencies({
      projects: inMemoryProjects([{ ...about, id: 'shop', allowedOrigins: [shop] }]),
    })
    const { chain } = ports
    const made = {
      config: { hours: 24, transport },
      connection,
      chain,
      metrics: createMetrics(),
      mailer,
      now: () => start,
    }
    return createTestServer({ ...ports, signIn: signInFromConfig(made) })
  }

  test.each(['cookie', 'token'] as const)(
    'a user signs in with a %s, stores metadata and signs out',
    async (transport) => {
      const { authentication } = page(transport, {}, whole(transport))
      await expect(authentication.setMetadata({ plan: 'gold' })).rejects.toMatchObject({
        code: 'sign-in/not-authenticated',
      })
      await signIn(authentication, account)
      expect(await authentication.getSessions(account)).toMatchObject([{ data: { domain: 'shop.example', uri: shop } }])
      await authentication.setMetadata({ plan: transport })
      expect(await authentication.account()).toMatchObject({ account, metadata: { plan: transport } })
      await authentication.revokeSession(account)
      expect(await authentication.account()).toBeUndefined()
    },
  )

  test('the session includes an email address only if the user has verified it with a code', async () => {
    const codes: string[] = []
    const mailer: Mailer = {
      send: async ({ text }) => void codes.push(/\d{6}/.exec(text)?.[0] ?? ''),
      close: async () => {},
    }
    const { authentication } = page('cookie', {}, whole('cookie', mailer))
    const emails: (string | undefined)[] = []
    authentication.onSession((session) => emails.push(session?.email))
    expect(await authentication.requestCode({ email: 'Ada@shop.example', account })).toBe(true)
    await authentication.confirmCode(codes[0] ?? '')
    await signIn(authentication, account)
    expect(emails).toEqual(['ada@shop.example'])

    await authentication.requestCode({ email: 'bob@shop.example', account })
    const wrong = codes[1] === '000000' ? '000001' : '000000'
    await expect(authentication.confirmCode(wrong)).rejects.toMatchObject({ code: 'sign-in/wrong-code' })
    await expect(signIn(authentication, account)).rejects.toMatchObject({ code: 'sign-in/code-needed' })
    await signIn(authentication, account)
    expect(emails).toEqual(['ada@shop.example', undefined])
  })

  test.each([
    ['a page from a different origin', { origin: 'https://evil.example' }, 'app/origin-not-allowed'],
    ['a page with an unknown project ID', { projectId: 'other' }, 'app/no-project'],
    ['a page that expects tokens', { mode: 'token' }, 'input/invalid'],
  ] as const)('%s receives an error code that explains the rejection', async (_, options, code) => {
    const { authentication } = page('cookie', options, whole('cookie'))
    await expect(authentication.createMessage({ chain: mainnet })).rejects.toMatchObject({ code })
  })
})
