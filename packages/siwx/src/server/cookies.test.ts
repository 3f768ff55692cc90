import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { writeMessage } from '../message/messageText.ts'
import { type Visitor, visitor } from '../testing/testVisitor.ts'
import { signedByKey } from '../verify/eip155.ts'
import { createSignIn, type Origin, type SignIn } from './createSignIn.ts'
import { memoryReplayStore } from './replayStore.ts'
import { SignInSecretError } from './tokens.ts'

const shop = 'https://shop.example'
const now = Date.UTC(2026, 10, 22)
const ada = privateKeyToAccount(generatePrivateKey())
const bob = privateKeyToAccount(generatePrivateKey())

function library(origins: readonly [Origin, ...Origin[]] = [shop]): SignIn {
  return createSignIn({
    origins,
    secret: 'a test secret of at least 32 characters',
    verifiers: {
      eip155: async ({ account, message, signature }) =>
        signedByKey({ address: account.split(':')[2] ?? '', message, signature }),
    },
    replayStore: memoryReplayStore(),
    clock: () => now,
  })
}

function tab(server: SignIn, page: string = shop, base: string = page): Visitor {
  return visitor({ page, base: `${base}/auth/v1`, server: server.handle })
}

async function nonceOf(someone: Visitor): Promise<string> {
  return ((await (await someone.ask('GET', '/nonce')).json()) as { nonce: string }).nonce
}

async function present(
  someone: Visitor,
  nonce: string,
  account: PrivateKeyAccount = ada,
  page: string = shop,
): Promise<Response> {
  const message = writeMessage({
    domain: new URL(page).host,
    uri: page,
    version: '1',
    nonce,
    chainId: 'eip155:1',
    accountAddress: account.address,
    issuedAt: new Date(now).toISOString(),
    expirationTime: new Date(now + 86_400_000).toISOString(),
  })
  return someone.ask('POST', '/authenticate', { body: { message, signature: await account.signMessage({ message }) } })
}

describe('in cookie mode', () => {
  test('scripts never see a token', async () => {
    const someone = tab(library())
    const answer = await someone.ask('GET', '/nonce')
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-latchkey\.sign-in-nonce=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ])
    const { nonce, token } = (await answer.json()) as { nonce: string; token: unknown }
    expect(token).toBe(null)
    const signed = await present(someone, nonce)
    expect(await signed.json()).toEqual({ token: null })
    expect([...someone.cookies.keys()]).toEqual(['__Host-latchkey.sign-in-session'])
  })

  test('a token in a header is ignored', async () => {
    const server = library()
    const someone = tab(server)
    await present(someone, await nonceOf(someone))
    const [token = ''] = someone.cookies.values()
    const headers = { authorization: `Bearer ${token}` }
    expect((await tab(server).ask('GET', '/me', { headers })).status).toBe(204)
  })

  test('tabs that request nonces at the same time can each sign the user in, one after the other', async () => {
    const someone = tab(library())
    const nonces = [await nonceOf(someone), await nonceOf(someone), await nonceOf(someone)]
    for (const nonce of nonces) expect((await present(someone, nonce)).status).toBe(200)
  })

  test('several accounts can be signed in at the same time, and each can be signed out separately', async () => {
    const someone = tab(library())
    for (const account of [ada, bob]) await present(someone, await nonceOf(someone), account)
    const who = async (query = ''): Promise<unknown> => {
      const answer = await someone.ask('GET', `/me${query}`)
      return answer.status === 200 ? ((await answer.json()) as { address: string }).address : answer.status
    }
    const named = (account: PrivateKeyAccount) => `?account=eip155:1:${account.address}`
    expect([await who(), await who(named(ada)), await who(named(bob))]).toEqual([bob.address, ada.address, bob.address])
    await someone.ask('POST', `/sign-out${named(bob)}`)
    expect([await who(), await who(named(bob))]).toEqual([ada.address, 204])
    await someone.ask('POST', '/sign-out')
    expect(await who()).toBe(204)
  })

  test('signing in again ends the previous session, so that a planted or copied session is useless', async () => {
    const server = library()
    const someone = tab(server)
    await present(someone, await nonceOf(someone))
    const copied = new Map(someone.cookies)
    await present(someone, await nonceOf(someone))
    const attacker = visitor({ page: shop, base: `${shop}/auth/v1`, server: server.handle, cookies: copied })
    expect((await attacker.ask('GET', '/me')).status).toBe(204)
    expect((await someone.ask('GET', '/me')).status).toBe(200)
  })

  test('a duplicate cookie is ignored, because only a different host on the same site can set it', async () => {
    const someone = tab(library())
    await present(someone, await nonceOf(someone))
    const [[name, value] = ['', '']] = someone.cookies
    const answer = await someone.ask('GET', '/me', { headers: { cookie: `${name}=${value}; ${name}=${value}` } })
    expect(answer.status).toBe(204)
  })

  test('a cross-site page receives an error that explains how to fix the problem', async () => {
    const answer = await tab(library()).ask('GET', '/nonce', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('use tokens')
  })

  test('on localhost without https, the cookie name contains the port', async () => {
    const page = 'http://localhost:3000'
    const someone = tab(library([page]), page, 'http://localhost:4100')
    const nonce = await nonceOf(someone)
    expect([...someone.cookies.keys()]).toEqual(['latchkey.sign-in-nonce.4100'])
    expect((await present(someone, nonce, ada, page)).status).toBe(200)
    expect((await someone.ask('GET', '/me')).status).toBe(200)
  })
})

describe('an app’s own handlers', () => {
  const url = `${shop}/orders`
  async function sessionAddress(method: string, headers: Record<string, string>): Promise<string | undefined> {
    const server = library()
    const someone = tab(server)
    await present(someone, await nonceOf(someone))
    const [[name, value] = ['', '']] = someone.cookies
    const session = await server.session(
      new Request(url, { method, headers: { cookie: `${name}=${value}`, ...headers } }),
    )
    return session?.address
  }

  test.each<[string, string, Record<string, string>, boolean]>([
    ['a POST request from the page is accepted', 'POST', { origin: shop }, true],
    ['a GET request from the page is accepted', 'GET', { 'sec-fetch-site': 'same-origin' }, true],
    [
      'a link on a different site is accepted',
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      true,
    ],
    ['a form on a different site is rejected', 'POST', { origin: 'https://evil.example' }, false],
    ['a form without an Origin header is rejected', 'POST', { 'sec-fetch-mode': 'navigate' }, false],
    [
      'an image on a different site is rejected',
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      false,
    ],
    [
      'a request from a different host on the same site is rejected',
      'GET',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
      false,
    ],
  ])('%s', async (_, method, headers, isKnown) => {
    expect(await sessionAddress(method, headers)).toBe(isKnown ? ada.address : undefined)
  })
})

test('an app’s own handler gets the most recent account, regardless of the request’s `account` parameter', async () => {
  const server = library()
  const someone = tab(server)
  for (const account of [ada, bob]) await present(someone, await nonceOf(someone), account)
  const cookie = [...someone.cookies].map((pair) => pair.join('=')).join('; ')
  for (const account of ['42', `eip155:1:${ada.address}`]) {
    const session = await server.session(new Request(`${shop}/orders?account=${account}`, { headers: { cookie } }))
    expect(session?.address).toBe(bob.address)
  }
})

test('handlers mounted at a different path check the origin too', async () => {
  for (const call of ['signOut', 'authenticate'] as const) {
    const answer = await library()[call](new Request(`${shop}/account/keys`, { method: 'POST' }))
    expect([call, answer.status, await answer.text()]).toEqual([call, 401, expect.stringContaining('Origin')])
  }
})

test('an invalid signed message is rejected', async () => {
  const server = library()
  const someone = tab(server)
  await nonceOf(someone)
  const cookie = [...someone.cookies].map((pair) => pair.join('=')).join('; ')
  const request = new Request(`${shop}/mine`, { method: 'POST', headers: { origin: shop, cookie } })
  const nothing = JSON.parse('{"message":{},"signature":7}') as Parameters<SignIn['verify']>[1]
  expect(await server.verify(request, nothing)).toMatchObject({ ok: false })
})

describe('createSignIn', () => {
  test.each<[string, readonly string[]]>([
    ['an empty list', []],
    ['a pattern', ['https://*.shop.example']],
    ['a path', ['https://shop.example/']],
    ['capitals', ['https://Shop.example']],
    ['http', ['http://shop.example']],
    ['an empty string', ['']],
  ])('throws for invalid origins: %s', (_, origins) => {
    expect(() => library(origins as unknown as [Origin])).toThrow(/origins/)
  })

  test.each<[string, unknown]>([
    ['empty, as during a build', ''],
    ['undefined, from a missing variable', undefined],
    ['too short', 'short'],
    ['a list with a secret that is too short', ['x'.repeat(32), 'short']],
    ['an empty list', []],
  ])('does not throw for an invalid secret (%s), but every call rejects', async (_, secret) => {
    const made = createSignIn({
      origins: [shop],
      secret: secret as string,
      verifiers: {},
      replayStore: memoryReplayStore(),
    })
    const request = new Request(`${shop}/auth/v1/nonce`)
    const signed = { message: '', signature: '' }
    const calls = [made.handle(request), made.nonce(request), made.session(request), made.verify(request, signed)]
    for (const call of calls) {
      const error: unknown = await call.catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(SignInSecretError)
      expect(error).toMatchObject({ code: 'sign-in/no-secret', message: expect.stringMatching(/32 characters/) })
    }
  })
})
