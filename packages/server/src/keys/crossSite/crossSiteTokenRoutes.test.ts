import { afterAll, beforeAll, expect, test } from 'vitest'
import { startKeys, type TestBrowser, type TestKeys } from '../../testing/keysServer.ts'

const page = 'https://shop.example'
const hour = 60 * 60_000

let keys: TestKeys
beforeAll(async () => {
  keys = await startKeys({
    policy: { sessionMs: 24 * hour },
    projects: [{ id: 'shop', name: 'Shop', allowedOrigins: [page], features: [], analytics: false }],
  })
}, 60_000)
afterAll(() => keys?.close())

let people = 0
/** Signs a user in through a window, and requests a connection token for a cross-site page. */
async function connected() {
  people += 1
  const window = keys.browser(`198.51.100.${people}`)
  const email = `person-${people}@shop.example`
  const { id } = await keys.signIn(window, email)
  const { body } = await window.send('POST', '/vault/connections', { page })
  // The frame on the cross-site page has no cookie.
  const frame = keys.browser(`198.51.100.${people}`)
  const me = (fields: object = {}) =>
    frame.send('POST', '/vault/connections/me', { token: body.token, page, ...fields })
  return { window, frame, email, id, token: body.token as string, me }
}

test('a token reveals the account to the page for which it was issued, and grants nothing else', async () => {
  const { me, email, id, token, frame } = await connected()
  const { body } = await me()
  expect(body).toMatchObject({ user: { id, email } })
  expect(Object.keys(body).sort()).toEqual(['expiresAt', 'now', 'since', 'user'])
  expect((await me({ page: 'https://other.example' })).body.code).toBe('session/none')
  expect((await me({ token: 'A'.repeat(43) })).body.code).toBe('session/none')
  for (const [method, path] of [
    ['GET', '/vault/me'],
    ['GET', '/vault/devices'],
    ['POST', '/vault/devices/a/half'],
    ['POST', '/vault/transfers'],
  ] as const) {
    const sent = method === 'GET' ? undefined : { commitment: 'AAAA' }
    const headers = { authorization: `Bearer ${token}` }
    expect((await frame.send(method, path, sent, headers)).status).toBe(401)
  }
})

test.each<[string, (found: Awaited<ReturnType<typeof connected>>) => Promise<unknown>]>([
  ['signs out', ({ window }) => window.send('POST', '/vault/sign-out', {})],
  ['signs out everywhere', ({ window }) => window.send('POST', '/vault/sign-out/everywhere', {})],
  ['signs out from another device', ({ email }) => elsewhere(email)],
  [
    'signs out on the page itself',
    ({ frame, token }) => frame.send('POST', '/vault/connections/sign-out', { token, page }),
  ],
  ['stays away until the sign-in has expired', async () => keys.pass(25 * hour)],
])('the token becomes invalid when its owner %s', async (_, leave) => {
  const found = await connected()
  expect((await found.me()).status).toBe(200)
  await leave(found)
  expect(await found.me()).toMatchObject({ status: 401, body: { code: 'session/none' } })
})

async function elsewhere(email: string): Promise<void> {
  const other: TestBrowser = keys.browser('198.51.100.200')
  keys.pass(60_000)
  await keys.signIn(other, email)
  await other.send('POST', '/vault/sign-out/everywhere', {})
}

test('signing out on one page ends the browser’s session on every page', async () => {
  const { window, frame, token, me } = await connected()
  const second = (await window.send('POST', '/vault/connections', { page })).body.token
  await frame.send('POST', '/vault/connections/sign-out', { token, page })
  expect((await window.send('GET', '/vault/me')).status).toBe(401)
  expect((await me({ token: second })).status).toBe(401)
  // Signing out again succeeds.
  expect((await frame.send('POST', '/vault/connections/sign-out', { token, page })).status).toBe(200)
})

test('a token is issued only to signed-in users, and only for pages that are allowed to embed the wallet', async () => {
  const { window, frame } = await connected()
  expect((await frame.send('POST', '/vault/connections', { page })).status).toBe(401)
  expect(await window.send('POST', '/vault/connections', { page: 'https://evil.example' })).toMatchObject({
    status: 403,
    body: { code: 'origin/refused' },
  })
})

test('a session has at most 50 connected pages, and a new page replaces the oldest', async () => {
  const { window, me, token } = await connected()
  const tokens: string[] = [token]
  for (let count = 0; count < 50; count += 1) {
    keys.pass(20_000)
    tokens.push((await window.send('POST', '/vault/connections', { page })).body.token)
  }
  expect((await me()).status).toBe(401)
  expect((await me({ token: tokens[1] })).status).toBe(200)
  expect((await me({ token: tokens.at(-1) })).status).toBe(200)
})

test('the database contains no token', async () => {
  const { token } = await connected()
  const rows = await keys.connection.use((database) => database.execute('select * from vault_connections'))
  expect(JSON.stringify(rows)).not.toContain(token)
})
