import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSignIn, memoryReplayStore } from '@latchkey/siwx'
import { writeMessage } from '@latchkey/siwx/message'
import type { TokenTransportMode } from '@latchkey/siwx/server'
import type { SignInFields } from '@latchkey/siwx/signIn'
import { type Visitor, visitor } from '@latchkey/siwx/testing'
import { signedByKey } from '@latchkey/siwx/verify/eip155'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inMemoryDependencies, inMemoryProjects } from '../inMemoryDependencies.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import type { RpcProxy } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { pgliteConnection } from '../storage/pglite.ts'
import { postgresConnection } from '../storage/postgres.ts'
import { createTestServer, signInDeclarations, withDeclaredErrors } from '../testing/declaredErrors.ts'
import { startPostgres } from '../testing/postgres.ts'
import { signInFromConfig } from './signInFromConfig.ts'

const shop = 'https://shop.example'
const ada = privateKeyToAccount(generatePrivateKey())
const bob = privateKeyToAccount(generatePrivateKey())
const day = 24 * 3600 * 1000

/** The sign-in server under test, and how pages reach it. */
interface Place {
  base: string
  /** The server instances, which share their stores. */
  instances: readonly ((request: Request) => Promise<Response>)[]
  query: string
  transport: TokenTransportMode
  time: { now: number }
  end(): Promise<void>
}

// A node on a chain without any contracts.
const noContracts: RpcProxy = {
  supported: () => ['eip155:1', 'eip155:10'],
  send: async () => ({ kind: 'answered', body: '{"jsonrpc":"2.0","id":1,"result":"0x"}' }),
}

const noEnd = async (): Promise<void> => {}

async function library(transport: TokenTransportMode): Promise<Place> {
  const time = { now: Date.UTC(2026, 10, 22) }
  const clock = () => time.now
  const replayStore = memoryReplayStore(clock)
  const instance = () =>
    createSignIn({
      origins: [shop, 'https://admin.shop.example'],
      secret: 'a test secret of at least 32 characters',
      verifiers: {
        eip155: async ({ account, message, signature }) =>
          signedByKey({ address: account.split(':')[2] ?? '', message, signature }),
      },
      replayStore,
      session: { transport },
      clock,
    })
  const instances = [instance(), instance()].map(({ handle }) => withDeclaredErrors(handle, () => signInDeclarations))
  return { base: `${shop}/auth/v1`, instances, query: '', transport, time, end: noEnd }
}

async function server(transport: TokenTransportMode, connections: readonly Connection[]): Promise<Place> {
  const time = { now: Date.UTC(2026, 10, 22) }
  const about = { name: '', features: [], analytics: true }
  const projects = inMemoryProjects([
    { ...about, id: 'shop', allowedOrigins: [shop] },
    { ...about, id: 'other', allowedOrigins: [] },
  ])
  const instances = connections.map((connection) => {
    const ports = inMemoryDependencies({ projects, chain: noContracts })
    const config = { hours: 24, transport }
    const made = { config, connection, chain: ports.chain, metrics: createMetrics(), now: () => time.now }
    return createTestServer({ ...ports, signIn: signInFromConfig(made) })
  })
  const base = 'https://connect.shop.example/auth/v1'
  return { base, instances, query: '?projectId=shop&st=latchkey&sv=react-1', transport, time, end: noEnd }
}

async function onPglite(transport: TokenTransportMode): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sign-in-'))
  const connection = pgliteConnection({ folder })
  const place = await server(transport, [connection])
  return { ...place, end: () => connection.close().then(() => rm(folder, { recursive: true })) }
}

async function onPostgres(transport: TokenTransportMode): Promise<Place> {
  const postgres = await startPostgres()
  const connect = () => postgresConnection({ url: postgres.url, log: () => {} })
  const connections = [await connect(), await connect()]
  const end = async (): Promise<void> => {
    for (const connection of connections) await connection.close()
    await postgres.stop()
  }
  return { ...(await server(transport, connections)), end }
}

/** Creates a tab that sends its requests to the instances in turn. */
function tab(place: Place, { page = shop as string | null, cookies = new Map<string, string>() } = {}): Visitor {
  let turn = 0
  const { base, instances } = place
  const server = async (request: Request): Promise<Response> => {
    const instance = instances[turn++ % instances.length]
    if (!instance) throw new Error('There is no instance')
    return instance(request)
  }
  return visitor({ page: page ?? undefined, base, server, cookies })
}

interface Nonce {
  nonce: string
  token: string | null
}

async function nonceFor(someone: Visitor, { query }: Place): Promise<Nonce> {
  const answer = await someone.ask('GET', `/nonce${query}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Nonce
}

function wordsFor(place: Place, nonce: string, account: PrivateKeyAccount = ada): SignInFields {
  return {
    domain: 'shop.example',
    uri: shop,
    version: '1',
    nonce,
    chainId: 'eip155:1',
    accountAddress: account.address,
    issuedAt: new Date(place.time.now).toISOString(),
    expirationTime: new Date(place.time.now + 7 * day).toISOString(),
  }
}

function present(
  someone: Visitor,
  { query }: Place,
  token: string | null | undefined,
  body: { message: string; signature: string; [more: string]: unknown },
): Promise<Response> {
  const headers: Record<string, string> = token === null ? {} : { 'x-nonce-jwt': `Bearer ${token}` }
  return someone.ask('POST', `/authenticate${query}`, { body: { clientId: null, ...body }, headers })
}

async function signedIn(
  someone: Visitor,
  place: Place,
  account = ada,
): Promise<{ message: string; signature: string; nonce: Nonce; headers: Record<string, string> }> {
  const nonce = await nonceFor(someone, place)
  const message = writeMessage(wordsFor(place, nonce.nonce, account))
  const signature = await account.signMessage({ message })
  const answer = await present(someone, place, nonce.token, { message, signature })
  expect(await answer.clone().text()).toMatch(/token/)
  expect(answer.status).toBe(200)
  const { token } = (await answer.json()) as { token: string | null }
  return { message, signature, nonce, headers: token === null ? {} : { authorization: `Bearer ${token}` } }
}

const places: readonly (readonly [string, () => Promise<Place>])[] = [
  ['the library with cookies', () => library('cookie')],
  ['the library with tokens', () => library('token')],
  ['the server on PGlite with cookies', () => onPglite('cookie')],
  ['two servers on PostgreSQL with tokens', () => onPostgres('token')],
]

describe.each(places)('%s', (_, open) => {
  let place: Place
  beforeAll(async () => {
    place = await open()
  })
  afterAll(() => place.end())

  // In cookie mode, a page cannot tell whether the user is signed in, so a missing session is not an error.
  const nobody = () => (place.transport === 'cookie' ? 204 : 401)
  const me = (someone: Visitor, headers: Record<string, string> = {}) =>
    someone.ask('GET', `/me${place.query}`, { headers })

  /** Requests a nonce, alters the message's fields with `wrong` and its text with `text`, and submits the signed message. */
  async function tries(
    wrong: (words: SignInFields) => Partial<SignInFields>,
    text: (message: string) => string = (message) => message,
  ): Promise<{ status: number; reason: string }> {
    const someone = tab(place)
    const { nonce, token } = await nonceFor(someone, place)
    const words = wordsFor(place, nonce)
    const message = text(writeMessage({ ...words, ...wrong(words) }))
    const answer = await present(someone, place, token, { message, signature: await ada.signMessage({ message }) })
    const { reasons } = (await answer.json()) as { reasons?: [{ field: string }] }
    return { status: answer.status, reason: reasons?.[0].field ?? '' }
  }

  test('a user who signs a message with the nonce stays signed in until signing out', async () => {
    const someone = tab(place)
    expect((await me(someone)).status).toBe(nobody())
    const { headers, nonce } = await signedIn(someone, place)
    const known = await me(someone, headers)
    expect(await known.json()).toMatchObject({
      sub: `eip155:1:${ada.address}`,
      address: ada.address,
      chainId: 1,
      chainNamespace: 'eip155',
      caip2Network: 'eip155:1',
      uri: shop,
      domain: 'shop.example',
      nonce: nonce.nonce,
      exp: place.time.now / 1000 + 86_400,
    })
    const cookies = new Map(someone.cookies)
    expect((await someone.ask('POST', `/sign-out${place.query}`, { headers })).status).toBe(200)
    expect((await me(someone, headers)).status).toBe(nobody())
    // A copy of the cookies made before signing out is invalid too.
    expect((await me(tab(place, { cookies }), headers)).status).toBe(nobody())
  })

  test('a nonce can be used only once, even if the attempt fails', async () => {
    const someone = tab(place)
    const { nonce, token } = await nonceFor(someone, place)
    const cookies = new Map(someone.cookies)
    const message = writeMessage(wordsFor(place, nonce))
    const [right, wrong] = await Promise.all([ada, bob].map((signer) => signer.signMessage({ message })))
    const first = await present(someone, place, token, { message, signature: wrong ?? '' })
    expect([first.status, await first.text()]).toEqual([401, expect.stringContaining('signature')])
    const second = await present(tab(place, { cookies }), place, token, { message, signature: right ?? '' })
    expect([second.status, await second.text()]).toEqual([401, expect.stringContaining('nonce')])
  })

  test('only one of twenty concurrent requests with the same nonce succeeds', async () => {
    const someone = tab(place)
    const { nonce, token } = await nonceFor(someone, place)
    const message = writeMessage(wordsFor(place, nonce))
    const signature = await ada.signMessage({ message })
    const { cookies } = someone
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        present(tab(place, { cookies: new Map(cookies) }), place, token, { message, signature }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
  })

  test('a signed message cannot be used twice or in a different browser', async () => {
    const someone = tab(place)
    const { message, signature, nonce } = await signedIn(someone, place)
    const again = await present(someone, place, nonce.token, { message, signature })
    expect(again.status).toBe(401)
    const attacker = tab(place)
    const own = await nonceFor(attacker, place)
    expect((await present(attacker, place, own.token, { message, signature })).status).toBe(401)
    expect((await present(tab(place), place, null, { message, signature })).status).toBe(401)
  })

  const at = (ms: number) => new Date(place.time.now + ms).toISOString()
  test.each<[string, Parameters<typeof tries>, string]>([
    ['a different domain', [() => ({ domain: 'evil.example' })], 'domain'],
    ['a different port', [() => ({ domain: 'shop.example:8443' })], 'domain'],
    ['a subdomain', [() => ({ domain: 'www.shop.example' })], 'domain'],
    ['a look-alike domain', [() => ({}), (text) => text.replace('shop', 'ѕhop')], 'unreadable'],
    ['the Punycode of a look-alike domain', [() => ({ domain: 'xn--hop-smc.example' })], 'domain'],
    ['a different URI', [() => ({ uri: 'https://evil.example/shop.example' })], 'uri'],
    ['a URI with user info', [() => ({ uri: 'https://shop.example@evil.example' })], 'uri'],
    ['a URI with a longer host', [() => ({ uri: 'https://shop.example.evil.example' })], 'uri'],
    ['an http URI', [() => ({ uri: 'http://shop.example' })], 'uri'],
    ['a different nonce', [() => ({ nonce: 'aNonceOfSomebodyElse' })], 'nonce'],
    ['a longer nonce', [({ nonce }) => ({ nonce: `${nonce}x` })], 'nonce'],
    ['an expiry in the past', [() => ({ issuedAt: at(-60_000), expirationTime: at(-1000) })], 'expired'],
    ['no expiration time', [() => ({}), (text) => text.replace(/\nExpiration Time: .*/, '')], 'expired'],
    ['no issue time', [() => ({}), (text) => text.replace(/\nIssued At: .*/, '')], 'unreadable'],
    ['an issue time in the future', [() => ({ issuedAt: at(3_600_000) })], 'issued-later'],
    ['an old issue time', [() => ({ issuedAt: at(-3_600_000) })], 'issued-long-ago'],
    ['a validity period of one year', [() => ({ expirationTime: at(365 * day) })], 'lives-too-long'],
    ['a start in the future', [() => ({ notBefore: at(3_600_000) })], 'not-yet-valid'],
    ['a different account', [() => ({ accountAddress: bob.address })], 'signature'],
    [
      'an injected line',
      [() => ({}), (text) => text.replace('\nVersion', '\nURI: https://evil.example\nVersion')],
      'unreadable',
    ],
    ['a second nonce', [() => ({}), (text) => text.replace('\nNonce', '\nNonce: 1234567890\nNonce')], 'unreadable'],
    ['Windows line breaks', [() => ({}), (text) => text.replace('\n\n', '\r\n\r\n')], 'unreadable'],
    [
      'a chain ID from a different namespace',
      [() => ({}), (text) => text.replace('Chain ID: 1', 'Chain ID: solana:1')],
      'unreadable',
    ],
  ])('%s is rejected', async (_, wrong, reason) => {
    expect(await tries(...wrong)).toEqual({ status: 401, reason })
  })

  test('a message is rejected if its chain or account differs from what the page specifies', async () => {
    for (const [data, reason] of [
      [{ chainId: 'eip155:10', accountAddress: ada.address }, 'chain'],
      [{ chainId: 'eip155:1', accountAddress: bob.address }, 'account'],
      [{ chainId: 'solana:1', accountAddress: ada.address }, 'unreadable'],
    ] as const) {
      const someone = tab(place)
      const { nonce, token } = await nonceFor(someone, place)
      const message = writeMessage(wordsFor(place, nonce))
      const answer = await present(someone, place, token, {
        message,
        data,
        signature: await ada.signMessage({ message }),
      })
      expect(await answer.json()).toMatchObject({ reasons: [{ field: reason }] })
    }
  })

  test('a nonce expires after ten minutes, and a session after a day', async () => {
    const someone = tab(place)
    const { nonce, token } = await nonceFor(someone, place)
    place.time.now += 11 * 60_000
    const message = writeMessage(wordsFor(place, nonce))
    const late = await present(someone, place, token, { message, signature: await ada.signMessage({ message }) })
    expect(late.status).toBe(401)
    const { headers } = await signedIn(someone, place)
    place.time.now += day - 1000
    expect((await me(someone, headers)).status).toBe(200)
    place.time.now += 1000
    expect((await me(someone, headers)).status).toBe(nobody())
  })

  test('a page from a different origin can neither read responses nor perform actions, even with a valid session', async () => {
    const someone = tab(place)
    const { headers } = await signedIn(someone, place)
    for (const page of ['https://evil.example', 'https://shop.example.evil.example', 'null', 'http://shop.example']) {
      const other = tab(place, { page, cookies: someone.cookies })
      for (const [method, path] of [
        ['GET', '/nonce'],
        ['GET', '/me'],
        ['POST', '/authenticate'],
        ['POST', '/sign-out'],
        ['OPTIONS', '/me'],
      ] as const) {
        const answer = await other.ask(method, `${path}${place.query}`, { headers })
        expect(answer.headers.get('access-control-allow-origin')).toBe(null)
        if (method !== 'OPTIONS') expect(answer.status).toBe(401)
      }
    }
    // Requests without an `Origin` header are rejected too.
    const someProgram = tab(place, { page: null, cookies: someone.cookies })
    expect((await someProgram.ask('POST', `/sign-out${place.query}`, { headers })).status).toBe(401)
    expect(
      (await someProgram.ask('GET', `/me${place.query}`, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } }))
        .status,
    ).toBe(401)
    expect((await me(someone, headers)).status).toBe(200)
  })

  test('CORS lets an allowed page read responses and send the required headers', async () => {
    const someone = tab(place)
    const preflight = await someone.ask('OPTIONS', `/authenticate${place.query}`)
    expect(preflight.status).toBe(204)
    for (const answer of [preflight, await someone.ask('GET', `/nonce${place.query}`), await me(someone)]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': shop,
        'access-control-allow-credentials': 'true',
        vary: 'origin',
      })
    }
    expect(preflight.headers.get('access-control-allow-headers')).toBe(
      'authorization, x-nonce-jwt, x-otp, content-type',
    )
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
  })
})
