import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, request as httpRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { addressOf, type ChainId } from '@latchkey/protocol/caip'
import { createElement } from 'react'
import { prerender } from 'react-dom/static'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeMessage } from '../message/messageText.ts'
import { newP256Key } from '../testing/newP256Key.ts'
import { signWith } from '../testing/testSigner.ts'
import { type Visitor, visitor } from '../testing/testVisitor.ts'
import { eip155Verifier } from '../verify/eip155.ts'
import { createSignIn } from './createSignIn.ts'
import { sessionOf, signInMiddleware } from './express.ts'
import { memoryReplayStore } from './replayStore.ts'

// Runs the recipes from the README unchanged.

const root = join(import.meta.dirname, '../../../..')
const readme = readFileSync(join(root, 'packages/siwx/README.md'), 'utf8')
const shop = 'https://shop.example'
const mainnet: ChainId = 'eip155:1'
const ada = signWith('eip155', 1)
const account = `${mainnet}:${getAddress(addressOf(ada.account(mainnet)))}` as const

beforeAll(() => {
  vi.stubEnv('SIGN_IN_SECRET', 'a test secret of at least 32 characters')
  vi.stubEnv('AUTH_SECRET', 'another secret of the test, as long as that')
})
afterAll(() => vi.unstubAllEnvs())

test.each([
  ...['signIn.ts', 'hono.ts', 'express.ts', 'app/auth/v1/[call]/route.ts', 'app/orders/page.tsx'],
  ...['authJs.ts', 'betterAuth.ts', 'verifySessionToken.ts'],
])('the README contains the recipe %s', (name) => {
  const text = readFileSync(join(root, 'e2e/recipes', name), 'utf8')
  expect(readme).toContain(`\`\`\`${extname(name).slice(1)}\n${text}\`\`\``)
})

/** Resolves to a signed message with a nonce for this browser. */
async function signed(
  someone: Visitor,
  path: string,
  { page = shop, chainId = mainnet }: { page?: string; chainId?: ChainId } = {},
): Promise<{ message: string; signature: string; token: string | null }> {
  const { nonce, token } = (await (await someone.ask('GET', path)).json()) as { nonce: string; token: string | null }
  const now = Date.now()
  const message = writeMessage({
    domain: new URL(page).host,
    uri: page,
    version: '1',
    nonce,
    chainId,
    accountAddress: addressOf(account),
    issuedAt: new Date(now).toISOString(),
    expirationTime: new Date(now + 3_600_000).toISOString(),
  })
  return { message, signature: await ada.sign(message), token }
}

function tab(
  server: (request: Request) => Promise<Response> | Response,
  { base = shop, page = shop }: { base?: string; page?: string } = {},
): Visitor {
  return visitor({ page, base, server: async (request) => server(request) })
}

async function ordersAfterSignIn(someone: Visitor): Promise<unknown> {
  expect((await someone.ask('POST', '/orders')).status).toBe(401)
  const body = await signed(someone, '/auth/v1/nonce')
  const headers = { 'content-type': 'application/json' }
  expect((await someone.ask('POST', '/auth/v1/authenticate', { body, headers })).status).toBe(200)
  expect((await someone.ask('POST', '/auth/v1/authenticate', { body, headers })).status).toBe(401)
  return (await someone.ask('POST', '/orders')).json()
}

test('a contract is called only on its own chain', async () => {
  const { port, close } = await listening((_, response) => {
    // An attacker has deployed a different contract at the account's address.
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x1626ba7e${'0'.repeat(56)}` }))
  })
  vi.stubEnv('RPC_URL', `http://127.0.0.1:${port}`)
  const { signIn } = await import('../../../../e2e/recipes/signIn.ts')
  const on = async (chainId: ChainId) => {
    const someone = tab(signIn.handle)
    const body = { ...(await signed(someone, '/nonce', { chainId })), signature: '0x1234' }
    return (await someone.ask('POST', '/authenticate', { body })).status
  }
  expect([await on(mainnet), await on('eip155:10')]).toEqual([200, 503])
  close()
})

test('the Hono recipe signs a user in', async () => {
  const { app } = await import('../../../../e2e/recipes/hono.ts')
  expect(await ordersAfterSignIn(tab((request) => app.fetch(request)))).toEqual({ orderedBy: account })
})

test('the Next.js recipe signs a user in, and a server component gets the account', async () => {
  let current = new Request(shop)
  // Next.js provides the headers of the current request.
  vi.doMock('next/headers', () => ({ headers: async () => current.headers }))
  vi.doMock('next/server', () => ({ connection: async () => {} }))
  const handlers = await import('../../../../e2e/recipes/app/auth/v1/[call]/route.ts')
  const { default: Page } = await import('../../../../e2e/recipes/app/orders/page.tsx')
  const pageFor = async (request: Request) => {
    current = request
    const { prelude } = await prerender(createElement(Page))
    return (await new Response(prelude).text()).replaceAll(/<!--.*?-->/g, '')
  }
  const someone = tab(async (request) =>
    new URL(request.url).pathname === '/orders'
      ? new Response(await pageFor(request))
      : handlers[request.method as 'GET' | 'POST'](request),
  )
  const visit = async (headers: Record<string, string>) => (await someone.ask('GET', '/orders', { headers })).text()
  const visits = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }
  expect(await visit(visits)).toBe('<p>Sign in first</p>')
  const body = await signed(someone, '/auth/v1/nonce')
  expect((await someone.ask('POST', '/auth/v1/authenticate', { body })).status).toBe(200)
  expect(await visit(visits)).toBe(`<p>Orders of ${account}</p>`)
  // A cross-site page submits a server action.
  expect(await visit({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).toBe('<p>Sign in first</p>')
})

test('the Express recipe signs a user in, even if the body was already parsed', async () => {
  const { app } = await import('../../../../e2e/recipes/express.ts')
  const { port, close } = await listening(app)
  expect(await ordersAfterSignIn(tab((request) => overHttp(request, port)))).toEqual({ orderedBy: account })
  close()
})

test('the Node.js middleware signs a user in without a framework', async () => {
  const { signIn } = await import('../../../../e2e/recipes/signIn.ts')
  const middleware = signInMiddleware(signIn)
  const { port, close } = await listening((request, response) => {
    if (request.url !== '/orders') return void middleware(request, response)
    return void sessionOf(signIn, request).then((session) => {
      response.writeHead(session ? 200 : 401).end(JSON.stringify({ orderedBy: session?.sub }))
    })
  })
  expect(await ordersAfterSignIn(tab((request) => overHttp(request, port)))).toEqual({ orderedBy: account })
  close()
})

test('a different service verifies tokens with the public key', async () => {
  const other = 'https://other.example'
  const place = createSignIn({
    origins: [shop, other],
    name: 'shop',
    secret: await newP256Key(),
    verifiers: { eip155: eip155Verifier() },
    replayStore: memoryReplayStore(),
    session: { transport: 'token' },
  })
  const { port, close } = await listening(getRequestListener(place.handle))
  vi.stubEnv('CONNECT_URL', `http://127.0.0.1:${port}`)
  const { accountOf } = await import('../../../../e2e/recipes/verifySessionToken.ts')
  const tokensAt = async (page: string) => {
    const someone = tab(place.handle, { page })
    const body = await signed(someone, '/nonce', { page })
    const headers = { 'x-nonce-jwt': `Bearer ${body.token}` }
    const answer = await someone.ask('POST', '/authenticate', { body, headers })
    return { nonce: String(body.token), ...((await answer.json()) as { token: string }) }
  }
  const { token, nonce } = await tokensAt(shop)
  const userOf = (bearer: string) =>
    accountOf(new Request(`${shop}/orders`, { headers: { authorization: `Bearer ${bearer}` } }))
  expect(await userOf(token)).toBe(account)
  await expect(userOf(nonce)).rejects.toThrow()
  await expect(userOf((await tokensAt(other)).token)).rejects.toThrow('Signed in on another site')
  await expect(userOf(`${token}x`)).rejects.toThrow()
  close()
})

async function listening(handle: RequestListener): Promise<{ port: number; close: () => void }> {
  const server = createHttpServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Sends a request over HTTP. Uses `request` because `fetch` would override the `Host` and `Origin` headers. */
function overHttp(request: Request, port: number): Promise<Response> {
  return request.text().then(
    (body) =>
      new Promise((resolve, reject) => {
        const headers = Object.fromEntries(request.headers)
        const path = new URL(request.url).pathname
        httpRequest({ port, host: '127.0.0.1', path, method: request.method, headers }, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => {
            const headerList = Object.entries(answer.headers).flatMap(([name, value]) =>
              [value ?? []].flat().map((item): [string, string] => [name, item]),
            )
            resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 500, headers: headerList }))
          })
        })
          .on('error', reject)
          .end(body)
      }),
  )
}

test('the Auth.js recipe signs a user in', async () => {
  const { auth } = await import('../../../../e2e/recipes/authJs.ts')
  const { signIn } = await import('../../../../e2e/recipes/signIn.ts')
  const someone = tab((request) =>
    new URL(request.url).pathname.startsWith('/auth/v1/') ? signIn.handle(request) : auth(request),
  )
  const csrf = async () => ((await (await someone.ask('GET', '/auth/csrf')).json()) as { csrfToken: string }).csrfToken
  const enter = async ({ message, signature }: { message: string; signature: string }) =>
    someone.ask('POST', '/auth/callback/wallet', {
      body: new URLSearchParams({ message, signature, csrfToken: await csrf() }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const session = async (): Promise<unknown> => (await someone.ask('GET', '/auth/session')).json()

  const words = await signed(someone, '/auth/v1/nonce')
  await enter({ ...words, message: words.message.replace('shop.example', 'evil.example') })
  expect(await session()).toBe(null)
  await enter(words)
  expect(await session()).toBe(null)
  await enter(await signed(someone, '/auth/v1/nonce'))
  expect(await session()).toMatchObject({ user: { name: addressOf(account) } })
})

test('the better-auth recipe signs a user in', async () => {
  const { auth } = await import('../../../../e2e/recipes/betterAuth.ts')
  const enter = async (someone: Visitor) => {
    const { message, signature } = await signed(someone, '/api/auth/wallet/nonce')
    const body = { message, signature }
    const headers = { 'content-type': 'application/json' }
    const answer = await someone.ask('POST', '/api/auth/wallet/sign-in', { body, headers })
    expect((await someone.ask('POST', '/api/auth/wallet/sign-in', { body, headers })).status).toBe(401)
    return (await answer.json()) as { user: { id: string; account: string } }
  }
  const [firstTab, secondTab] = [tab(auth.handler), tab(auth.handler)]
  expect(await (await firstTab.ask('GET', '/api/auth/get-session')).json()).toBe(null)
  const first = await enter(firstTab)
  expect(first.user.account).toBe(account)
  expect(await (await firstTab.ask('GET', '/api/auth/get-session')).json()).toMatchObject({
    user: { id: first.user.id },
  })
  // The same wallet in a different browser belongs to the same user.
  expect(await enter(secondTab)).toEqual(first)
})
