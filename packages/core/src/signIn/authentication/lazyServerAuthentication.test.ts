import { toBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import { type AccountId, addressOf, type ChainId, chainOf } from '@latchkey/protocol/caip'
import { failed } from '@latchkey/protocol/http/publicRoutes'
import { fakeClock } from '@latchkey/protocol/testing'
import { describe, expect, test, vi } from 'vitest'
import { fakeFetch } from '../../testing/fakeFetch.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import type { AuthenticationAdapter, SignInSession } from '../signInTypes.ts'
import { serverSignIn } from './lazyServerAuthentication.ts'
import type { ServerSignInOptions, SignInAccount } from './serverSignInTypes.ts'

// packages/server/src/signIn/pageAuthentication.test.ts runs the authentication test suite in both modes against the real endpoints.

const mainnet: ChainId = 'eip155:1'
const polygon: ChainId = 'eip155:137'
const ada: AccountId = 'eip155:1:0xABcdef0000000000000000000000000000000001'
const bob: AccountId = 'eip155:1:0x2222222222222222222222222222222222222222'
const tokenKey = '@latchkey/siwx-auth-token'
const nonceKey = '@latchkey/siwx-nonce-token'
const shop = 'https://shop.example'
const url = 'https://connect.shop.example'
const start = Date.UTC(2026, 10, 22)

/** Returns the claims of a token for `account`. */
function claimsOf(account: AccountId, more: object = {}) {
  const [, chainId] = account.split(':')
  return {
    sub: account,
    address: addressOf(account),
    chainId: Number(chainId),
    chainNamespace: 'eip155',
    caip2Network: chainOf(account),
    uri: shop,
    domain: 'shop.example',
    nonce: 'n0nce001',
    exp: start / 1000 + 3600,
    ...more,
  }
}

function tokenOf(account: AccountId, more: object = {}): string {
  return ['{}', JSON.stringify(claimsOf(account, more)), 'signature'].map((part) => toBase64Url(toUtf8(part))).join('.')
}

type Answers = Parameters<typeof fakeFetch>[0]

/** Creates a page with a sign-in server (services 3.14) that accepts every request, unless `answers` overrides the response. */
function bench(answers: Answers = {}, input: Partial<ServerSignInOptions> & { stored?: Record<string, string> } = {}) {
  const { stored = {}, ...options } = input
  const mode = options.mode ?? 'token'
  let nonces = 0
  const storage = memoryStorage(stored)
  const clock = fakeClock(start)
  const http = fakeFetch({
    '/auth/v1/nonce': () => {
      const nonce = `n0nce00${++nonces}`
      return { nonce, token: mode === 'token' ? `token.of.${nonce}` : null }
    },
    '/auth/v1/authenticate': ({ body }) => {
      const { chainId, accountAddress } = (body as SignInSession).data
      return { token: mode === 'token' ? tokenOf(`${chainId}:${accountAddress}`) : null }
    },
    '/auth/v1/me': ({ headers }) => {
      const [, claims = ''] = headers.get('authorization')?.split('.') ?? []
      return JSON.parse(Buffer.from(claims, 'base64url').toString() || JSON.stringify(claimsOf(ada))) as unknown
    },
    '/auth/v1/sign-out': () => ({}),
    ...answers,
  })
  const authentication = serverSignIn({
    url,
    projectId: 'shop',
    origin: shop,
    mode,
    fetch: http.fetch,
    storage,
    clock,
    ...options,
  })
  const accounts: (SignInAccount | undefined)[] = []
  return {
    authentication,
    http,
    storage,
    clock,
    accounts,
    listen: () => authentication.onSession((account) => accounts.push(account)),
  }
}

async function proofOf(authentication: AuthenticationAdapter, account: AccountId): Promise<SignInSession> {
  const chain = chainOf(account)
  const words = await authentication.createMessage({ account, chain })
  return {
    data: { ...words, chainId: chain, accountAddress: addressOf(account) },
    message: words.nonce,
    signature: `0x51${words.nonce.length}`,
  }
}

async function signIn(authentication: AuthenticationAdapter, account: AccountId): Promise<void> {
  await authentication.addSession(await proofOf(authentication, account))
}

const refuse = (status: number, field: string) => () => Response.json(failed(field, 'No'), { status })

describe('in token mode', () => {
  test('the nonce token and the session token are stored, and each is sent only with the requests that need it [R3.9] [R3.17]', async () => {
    const { authentication, http, storage } = bench()
    const proof = await proofOf(authentication, ada)
    expect(storage.all()).toEqual({ [nonceKey]: 'token.of.n0nce001' })
    await authentication.addSession(proof)
    const token = tokenOf(ada)
    expect(storage.all()).toEqual({ [tokenKey]: token })
    expect(await authentication.getSessions(ada)).toHaveLength(1)
    await authentication.revokeSession(ada)
    expect(storage.all()).toEqual({})

    expect(http.calls.map(({ method, url: { pathname } }) => `${method} ${pathname}`)).toEqual([
      'GET /auth/v1/nonce',
      'POST /auth/v1/authenticate',
      'GET /auth/v1/me',
      'POST /auth/v1/sign-out',
    ])
    const [, authenticate, me, signOut] = http.calls
    expect(authenticate?.headers.get('x-nonce-jwt')).toBe('Bearer token.of.n0nce001')
    expect(authenticate?.body).toEqual({ ...proof, clientId: null })
    for (const call of [me, signOut]) expect(call?.headers.get('authorization')).toBe(`Bearer ${token}`)
    for (const call of http.calls) {
      expect(call.credentials).toBe('omit')
      expect(Object.fromEntries(call.url.searchParams)).toMatchObject({ projectId: 'shop', st: 'latchkey' })
    }
  })

  test('no request is sent if no token is stored', async () => {
    const { authentication, http } = bench()
    expect(await authentication.getSessions(ada)).toEqual([])
    expect(await authentication.account()).toBeUndefined()
    await authentication.revokeSession(ada)
    expect(http.calls).toEqual([])
  })

  test('a token for a different account is ignored, and is kept', async () => {
    const { authentication, http, storage } = bench({}, { stored: { [tokenKey]: tokenOf(ada) } })
    expect(await authentication.getSessions(bob)).toEqual([])
    await authentication.revokeSession(bob)
    expect(http.calls).toEqual([])
    expect(storage.all()).toHaveProperty([tokenKey])
  })

  test('addresses are compared case-insensitively, and the session has the token’s expiry', async () => {
    const { authentication } = bench({}, { stored: { [tokenKey]: tokenOf(ada) } })
    const [session] = await authentication.getSessions(ada.toLowerCase() as AccountId)
    expect(session?.data).toMatchObject({ chainId: mainnet, expirationTime: '2026-11-22T01:00:00.000Z' })
  })

  test('a session has the time at which the server created it', async () => {
    const { authentication } = bench({}, { stored: { [tokenKey]: tokenOf(ada, { iat: start / 1000 - 60 }) } })
    const [session] = await authentication.getSessions(ada)
    expect(session?.data.issuedAt).toBe('2026-11-21T23:59:00.000Z')
  })

  test('a token that the server rejects is removed', async () => {
    const { authentication, storage } = bench(
      { '/auth/v1/me': refuse(401, 'authorization') },
      { stored: { [tokenKey]: tokenOf(ada) } },
    )
    expect(await authentication.getSessions(ada)).toEqual([])
    expect(storage.all()).toEqual({})
  })

  test('a stored token with only two parts is removed, and a received token with only two parts is an error', async () => {
    const stored = bench({}, { stored: { [tokenKey]: 'two.parts' } })
    expect(await stored.authentication.getSessions(ada)).toEqual([])
    expect(stored.storage.all()).toEqual({})

    const answered = bench({ '/auth/v1/authenticate': () => ({ token: 'two.parts' }) })
    await expect(signIn(answered.authentication, ada)).rejects.toMatchObject({ code: 'sign-in/bad-token' })
    expect(answered.storage.all()).not.toHaveProperty([tokenKey])
  })

  test('the page keeps only one token and revokes the previous token', async () => {
    const { authentication, http } = bench()
    await signIn(authentication, ada)
    await signIn(authentication, bob)
    expect(http.to('/auth/v1/sign-out').map(({ headers }) => headers.get('authorization'))).toEqual([
      `Bearer ${tokenOf(ada)}`,
    ])
    expect(await authentication.getSessions(bob)).toHaveLength(1)
  })

  test('the user stays signed in until the page is closed if storage is unavailable', async () => {
    const { authentication, storage } = bench()
    storage.fail()
    await signIn(authentication, ada)
    expect(await authentication.getSessions(ada)).toHaveLength(1)
    await authentication.signOut()
    expect(await authentication.getSessions(ada)).toEqual([])
  })

  test('signing out removes both tokens, regardless of the server’s response', async () => {
    const { authentication, storage } = bench({ '/auth/v1/sign-out': () => new Response('', { status: 500 }) })
    await signIn(authentication, ada)
    await authentication.createMessage({ chain: mainnet })
    expect(Object.keys(storage.all()).sort()).toEqual([tokenKey, nonceKey])
    await authentication.revokeSession(ada)
    expect(storage.all()).toEqual({})
  })

  test('setMetadata() stores metadata for a signed-in user, and otherwise rejects', async () => {
    const { authentication, http } = bench({
      '/auth/v1/account-metadata': () => ({}),
      '/auth/v1/me': () => claimsOf(ada, { appKitAccount: { metadata: { plan: 'gold' } } }),
    })
    await expect(authentication.setMetadata({ plan: 'gold' })).rejects.toMatchObject({
      code: 'sign-in/not-authenticated',
      message: 'Not authenticated',
    })
    await signIn(authentication, ada)
    await authentication.setMetadata({ plan: 'gold' })
    expect(http.to('/auth/v1/account-metadata')).toMatchObject([
      { method: 'PUT', body: { metadata: { plan: 'gold' } } },
    ])
  })
})

describe('in cookie mode', () => {
  test('the browser sends cookies, and the page stores nothing [R3.17]', async () => {
    const { authentication, http, storage } = bench({}, { mode: 'cookie' })
    await signIn(authentication, ada)
    expect(await authentication.getSessions(ada)).toHaveLength(1)
    expect(storage.all()).toEqual({})
    for (const { credentials, headers } of http.calls) {
      expect(credentials).toBe('include')
      expect(headers.get('authorization')).toBeNull()
    }
  })

  test('signing out on all networks at the same time sends one request', async () => {
    const { authentication, http } = bench({}, { mode: 'cookie' })
    const elsewhere = `${polygon}:${addressOf(ada)}` as AccountId
    await Promise.all([authentication.revokeSession(ada), authentication.revokeSession(elsewhere)])
    const [call, ...others] = http.to('/auth/v1/sign-out')
    expect(call?.url.searchParams.get('account')).toBe(`${ada},${elsewhere}`)
    expect(others).toEqual([])
  })

  test('a sign-out that did not reach the server is reported, because the cookie still exists', async () => {
    const { authentication } = bench(
      { '/auth/v1/sign-out': () => Promise.reject(new TypeError('offline')) },
      { mode: 'cookie' },
    )
    await expect(authentication.revokeSession(ada)).rejects.toMatchObject({ code: 'http/unreachable' })
  })

  test.each([
    ['cookie', 'token.of.nonce'],
    ['token', null],
  ] as const)('createMessage() rejects in %s mode if the server uses the other mode', async (mode, token) => {
    const { authentication } = bench({ '/auth/v1/nonce': () => ({ nonce: 'n0nce001', token }) }, { mode })
    const other = mode === 'cookie' ? 'token' : 'cookie'
    await expect(authentication.createMessage({ chain: mainnet })).rejects.toMatchObject({
      code: 'input/invalid',
      message: expect.stringContaining(`Set { mode: '${other}' }`) as string,
    })
  })
})

test('a message contains the page’s origin and the server’s time, even if the system clock is wrong [R3.10]', async () => {
  const { authentication } = bench(
    { '/auth/v1/nonce': () => ({ nonce: 'n0nce001', token: 'a.b.c', issuedAt: '2026-11-20T00:00:00.000Z' }) },
    { statement: 'Welcome', resources: ['https://shop.example/terms'], expiresInMs: 60_000 },
  )
  expect(await authentication.createMessage({ chain: mainnet })).toEqual({
    domain: 'shop.example',
    uri: shop,
    version: '1',
    nonce: 'n0nce001',
    issuedAt: '2026-11-20T00:00:00.000Z',
    expirationTime: '2026-11-20T00:01:00.000Z',
    statement: 'Welcome',
    resources: ['https://shop.example/terms'],
  })
})

test('a message uses the page’s time, is valid for one day, and has no optional fields by default [R3.10]', async () => {
  expect(await bench().authentication.createMessage({ chain: mainnet })).toEqual({
    domain: 'shop.example',
    uri: shop,
    version: '1',
    nonce: 'n0nce001',
    issuedAt: '2026-11-22T00:00:00.000Z',
    expirationTime: '2026-11-23T00:00:00.000Z',
  })
})

test('each message is sent with the token that was issued with its nonce', async () => {
  const { authentication, http } = bench()
  const [first, second] = await Promise.all([proofOf(authentication, ada), proofOf(authentication, bob)])
  await authentication.addSession(second)
  await authentication.addSession(first)
  expect(http.to('/auth/v1/authenticate').map(({ headers }) => headers.get('x-nonce-jwt'))).toEqual([
    'Bearer token.of.n0nce002',
    'Bearer token.of.n0nce001',
  ])
})

test('if a wallet signed several messages while connecting, the message for the active network is authenticated [R4.12]', async () => {
  const { authentication, http } = bench()
  const words = await authentication.createMessage({ chain: polygon })
  const signed = [mainnet, polygon].map((chainId) => ({
    data: { ...words, chainId, accountAddress: addressOf(ada) },
    message: chainId,
    signature: '0x',
  }))
  await authentication.setSessions(signed)
  expect(http.to('/auth/v1/authenticate').map(({ body }) => (body as SignInSession).message)).toEqual([polygon])
})

test('listeners are notified of sign-outs, and of sign-ins with the email address from the token', async () => {
  const { authentication, accounts, listen } = bench({
    '/auth/v1/authenticate': () => ({ token: tokenOf(ada, { email: 'ada@shop.example', profileUuid: 'p-1' }) }),
  })
  const unlisten = listen()
  await signIn(authentication, ada)
  await authentication.setSessions([])
  unlisten()
  await signIn(authentication, ada)
  expect(accounts).toEqual([
    { account: ada, email: 'ada@shop.example', profileId: 'p-1', expiresAt: start + 3_600_000 },
    undefined,
  ])
})

test('a message includes the email address to verify, and the ID of the code is sent once', async () => {
  const { authentication, http } = bench({ '/auth/v1/otp': ({ method }) => (method === 'POST' ? { uuid: 'u-1' } : {}) })
  expect(await authentication.requestCode({ email: 'a@b.c', account: ada })).toBe(true)
  await authentication.confirmCode('123456')
  const proof = await proofOf(authentication, ada)
  expect(proof.data.resources).toEqual(['email:a@b.c'])
  await authentication.addSession(proof)
  await signIn(authentication, ada)

  expect(http.to('/auth/v1/otp')).toMatchObject([
    { method: 'POST', body: { email: 'a@b.c', account: ada } },
    { method: 'PUT', body: { code: '123456' } },
  ])
  expect(http.to('/auth/v1/otp')[1]?.headers.get('x-otp')).toBe('u-1')
  const sent = http.to('/auth/v1/authenticate').map(({ headers }) => headers.get('x-otp'))
  expect(sent).toEqual(['u-1', null])
})

test('a sign-in with an unconfirmed address fails, and the next sign-in does not include the address', async () => {
  const { authentication } = bench({
    '/auth/v1/otp': ({ method }) => (method === 'POST' ? { uuid: 'u-1' } : refuse(401, 'code')()),
    '/auth/v1/authenticate': ({ body, headers }) =>
      headers.has('x-otp') ? refuse(401, 'otp')() : { token: tokenOf(ada), body },
  })
  await authentication.requestCode({ email: 'a@b.c', account: ada })
  await expect(authentication.confirmCode('000000')).rejects.toMatchObject({ code: 'sign-in/wrong-code' })
  await expect(signIn(authentication, ada)).rejects.toMatchObject({
    code: 'sign-in/code-needed',
    message: 'OTP is required',
  })
  const proof = await proofOf(authentication, ada)
  expect(proof.data.resources).toBeUndefined()
  await authentication.addSession(proof)
})

test('requestCode() resolves to false if the server cannot send email, and rejects with the retry delay if it is rate-limited', async () => {
  const mute = bench({ '/auth/v1/otp': () => ({ uuid: null }) })
  expect(await mute.authentication.requestCode({ email: 'a@b.c', account: ada })).toBe(false)
  expect((await proofOf(mute.authentication, ada)).data.resources).toBeUndefined()
  const busy = bench({ '/auth/v1/otp': () => new Response('', { status: 429, headers: { 'retry-after': '30' } }) })
  await expect(busy.authentication.requestCode({ email: 'a@b.c', account: ada })).rejects.toMatchObject({
    code: 'email/throttled',
    details: { seconds: 30 },
  })
})

describe('a refusal by the server', () => {
  test.each<[status: number, field: string, code: string]>([
    [401, 'origin', 'app/origin-not-allowed'],
    [401, 'projectId', 'app/no-project'],
    [401, 'nonce', 'sign-in/spent'],
    [401, 'signature', 'sign-in/invalid'],
    [401, 'domain', 'sign-in/refused'],
    [503, 'signature', 'sign-in/no-node'],
    [404, 'path', 'http/failed'],
    [429, '', 'http/failed'],
    [500, '', 'http/failed'],
  ])('with status %i for "%s" during sign-in is reported as %s', async (status, field, code) => {
    const { authentication, storage } = bench({ '/auth/v1/authenticate': refuse(status, field) })
    await expect(signIn(authentication, ada)).rejects.toMatchObject({ code })
    expect(storage.all()).not.toHaveProperty([tokenKey])
  })

  test('because no node could verify the signature includes the chain that the user signed in on', async () => {
    const { authentication } = bench({ '/auth/v1/authenticate': refuse(503, 'signature') })
    await expect(signIn(authentication, ada)).rejects.toMatchObject({ details: { chain: chainOf(ada) } })
  })

  test('in the expected format means that there is no session', async () => {
    for (const response of [() => new Response(null, { status: 204 }), refuse(401, 'authorization')]) {
      const { authentication } = bench({ '/auth/v1/me': response }, { mode: 'cookie' })
      expect(await authentication.getSessions(ada)).toEqual([])
    }
  })

  test.each([400, 401, 403, 404, 407, 451])(
    'with status %i that comes from a proxy does not end the session',
    async (status) => {
      const { authentication, storage } = bench(
        { '/auth/v1/me': () => new Response('<html>', { status }) },
        { stored: { [tokenKey]: tokenOf(ada) } },
      )
      await expect(authentication.getSessions(ada)).rejects.toMatchObject({ code: 'http/failed' })
      expect(storage.all()).toHaveProperty([tokenKey])
    },
  )

  test('includes the retry delay, whether the server specifies it in seconds or as a date', async () => {
    let after = '30'
    const answer = () => new Response('', { status: 503, headers: { 'retry-after': after } })
    const { authentication, clock } = bench({ '/auth/v1/me': answer }, { mode: 'cookie' })
    await expect(authentication.getSessions(ada)).rejects.toMatchObject({
      details: { status: 503, retryAfterMs: 30_000 },
    })
    after = new Date(clock.now() + 60_000).toUTCString()
    await expect(authentication.getSessions(ada)).rejects.toMatchObject({
      details: { status: 503, retryAfterMs: 60_000 },
    })
  })

  test('is assumed if the server returns a session for a different account', async () => {
    const { authentication } = bench({ '/auth/v1/me': () => claimsOf(bob) }, { mode: 'cookie' })
    expect(await authentication.getSessions(ada)).toEqual([])
  })
})

describe('a session lookup fails if the server is unavailable, so that the user is not prompted for a useless signature [R4.11]', () => {
  test.each<[what: string, answer: () => unknown, code: string]>([
    ['does not respond', () => Promise.reject(new TypeError('Failed to fetch')), 'http/unreachable'],
    ['returns a 502 response', () => new Response('', { status: 502 }), 'http/failed'],
    ['rate-limits the page', refuse(429, ''), 'http/failed'],
    ['rejects the page’s origin', refuse(401, 'origin'), 'app/origin-not-allowed'],
    ['returns HTML', () => new Response('<html>'), 'http/malformed'],
    ['returns an incomplete session', () => ({ address: '0x1' }), 'http/malformed'],
  ])('when the server %s', async (_, answer, code) => {
    const { authentication, storage } = bench({ '/auth/v1/me': answer }, { stored: { [tokenKey]: tokenOf(ada) } })
    await expect(authentication.getSessions(ada)).rejects.toMatchObject({ code })
    expect(storage.all()).toHaveProperty([tokenKey])
    const byCookie = bench({ '/auth/v1/me': answer }, { mode: 'cookie' })
    await expect(byCookie.authentication.getSessions(ada)).rejects.toMatchObject({ code })
  })

  test('when the server never responds', async () => {
    const answer = vi.fn(() => new Promise(() => {}))
    const { authentication, clock } = bench({ '/auth/v1/me': answer }, { mode: 'cookie' })
    const looked = expect(authentication.getSessions(ada)).rejects.toMatchObject({ code: 'http/unreachable' })
    // Advance the clock only after the request has been sent, because the timeout starts then.
    await vi.waitFor(() => expect(answer).toHaveBeenCalled())
    await clock.pass(30_000)
    await looked
    expect(clock.waiting).toBe(0)
  })
})
