import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, keysOrigin, startKeys, type TestBrowser, type TestKeys } from '../../testing/keysServer.ts'
import { createSoftwarePasskey, type SoftwarePasskey } from '../../testing/softwarePasskey.ts'
import { hasPasskeys } from './webAuthn.ts'

const page = { origin: keysOrigin, topOrigin: 'https://shop.example' }
const shop = { id: 'shop', name: 'Shop', allowedOrigins: ['https://shop.example'], features: [], analytics: false }

let keys: TestKeys

beforeAll(async () => {
  keys = await startKeys({ projects: [shop] })
}, 60_000)
afterAll(() => keys?.close())

interface Owner {
  readonly browser: TestBrowser
  readonly userId: string
  readonly passkey: SoftwarePasskey
}

async function owner(email: string): Promise<Owner> {
  const browser = keys.browser()
  const { id } = await keys.signIn(browser, email)
  const passkey = createSoftwarePasskey()
  const { body } = await browser.send('POST', '/vault/passkeys/options', {})
  const response = passkey.create(body.options, page)
  const made = await browser.send('POST', '/vault/passkeys', { userId: id, name: 'Phone', response })
  expect(made).toMatchObject({ status: 200, body: { passkey: { id: response.id, name: 'Phone', lastUsedAt: null } } })
  return { browser, userId: id, passkey }
}

async function signIn(
  browser: TestBrowser,
  passkey: SoftwarePasskey,
  change = (response: unknown) => response,
): Promise<Answer> {
  const { body } = await browser.send('POST', '/vault/passkeys/sign-in/options', {})
  return browser.send('POST', '/vault/passkeys/sign-in', { response: change(passkey.get(body.options, page)) })
}

test('a known passkey signs the user in to its account without asking which account to use', async () => {
  const { userId, passkey, browser } = await owner('ada@shop.example')
  const { body } = await keys.browser().send('POST', '/vault/passkeys/sign-in/options', {})
  expect(body.options).toMatchObject({ rpId: 'keys.shop.example', userVerification: 'required' })
  expect(body.options.allowCredentials ?? []).toEqual([])
  const other = keys.browser()
  expect((await signIn(other, passkey)).body).toMatchObject({ user: { id: userId, email: 'ada@shop.example' } })
  expect((await other.send('GET', '/vault/me')).body.passkeys).toMatchObject([{ name: 'Phone' }])
  expect((await browser.send('GET', '/vault/audit')).body.entries[0]).toMatchObject({ event: 'signed-in-by-passkey' })
})

test('the relying party ID is the exact host of the keys origin, never a parent domain', async () => {
  const browser = keys.browser()
  await keys.signIn(browser, 'party@shop.example')
  const { body } = await browser.send('POST', '/vault/passkeys/options', {})
  expect(body.options).toMatchObject({
    rp: { id: 'keys.shop.example' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
})

test.each([
  ['https://keys.shop.example', true],
  ['http://keys.demo.localhost:4100', true],
  ['http://localhost:4101', false],
  ['http://127.0.0.1:4100', false],
])('hasPasskeys(%j) returns %s', (origin, offered) => {
  expect(hasPasskeys(origin)).toBe(offered)
})

test('a challenge works only once, and only in the session that requested it', async () => {
  const { passkey } = await owner('once@shop.example')
  const browser = keys.browser()
  const { body } = await browser.send('POST', '/vault/passkeys/sign-in/options', {})
  passkey.counter = 1
  const response = passkey.get(body.options, page)
  const attacker = keys.browser()
  await attacker.send('POST', '/vault/passkeys/sign-in/options', {})
  expect((await attacker.send('POST', '/vault/passkeys/sign-in', { response })).body.code).toBe('passkey/refused')
  expect((await browser.send('POST', '/vault/passkeys/sign-in', { response })).status).toBe(200)
  expect((await browser.send('POST', '/vault/passkeys/sign-in', { response })).body.code).toBe('passkey/refused')
})

test('a challenge expires after five minutes', async () => {
  const { passkey } = await owner('slow@shop.example')
  const browser = keys.browser()
  const { body } = await browser.send('POST', '/vault/passkeys/sign-in/options', {})
  keys.pass(5 * 60_000 + 1)
  const response = passkey.get(body.options, page)
  expect((await browser.send('POST', '/vault/passkeys/sign-in', { response })).body.code).toBe('passkey/refused')
})

test.each([
  ['a different origin', { origin: 'https://evil.example' }],
  ['the host page', { origin: 'https://shop.example' }],
  ['a frame on a page that is not allow-listed', { origin: keysOrigin, topOrigin: 'https://evil.example' }],
])('rejects a response from %s', async (_, from) => {
  const { passkey } = await owner(`from${Math.random()}@shop.example`)
  const browser = keys.browser()
  const { body } = await browser.send('POST', '/vault/passkeys/sign-in/options', {})
  const response = passkey.get(body.options, from)
  expect((await browser.send('POST', '/vault/passkeys/sign-in', { response })).body.code).toBe('passkey/refused')
})

test('rejects an unknown passkey, a tampered response and a cloned authenticator', async () => {
  const { passkey } = await owner('copied@shop.example')
  expect((await signIn(keys.browser(), createSoftwarePasskey())).body.code).toBe('passkey/refused')
  // biome-ignore lint/suspicious/noExplicitAny: the response's JSON.
  const changed = (response: any) => ({
    ...response,
    response: { ...response.response, signature: Buffer.from('30060201010201ff', 'hex').toString('base64url') },
  })
  expect((await signIn(keys.browser(), passkey, changed)).body.code).toBe('passkey/refused')
  expect((await signIn(keys.browser(), passkey, () => ({ id: 'a' }))).body.code).toBe('passkey/refused')
  passkey.counter = 5
  expect((await signIn(keys.browser(), passkey)).status).toBe(200)
  passkey.counter = 5
  expect((await signIn(keys.browser(), passkey)).body.code).toBe('passkey/refused')
  passkey.counter = 6
  expect((await signIn(keys.browser(), passkey)).status).toBe(200)
})

test('a passkey belongs to one account, and only its owner can remove it', async () => {
  const first = await owner('mine@shop.example')
  const second = await owner('theirs@shop.example')
  const { body } = await first.browser.send('GET', '/vault/me')
  const [{ id }] = body.passkeys
  await second.browser.send('DELETE', `/vault/passkeys/${id}`, {})
  expect((await signIn(keys.browser(), first.passkey)).body.user.id).toBe(first.userId)
  // A response to a challenge for a different account does not register a passkey.
  const challenge = await second.browser.send('POST', '/vault/passkeys/options', {})
  const response = createSoftwarePasskey().create(challenge.body.options, page)
  const stolen = { userId: first.userId, name: 'Eve', response }
  expect((await first.browser.send('POST', '/vault/passkeys', stolen)).body.code).toBe('passkey/refused')
  expect((await second.browser.send('POST', '/vault/passkeys', stolen)).body.code).toBe('session/other-account')
  await first.browser.send('DELETE', `/vault/passkeys/${id}`, {})
  expect((await signIn(keys.browser(), first.passkey)).body.code).toBe('passkey/refused')
})

test.each([
  ['empty', new Uint8Array()],
  ['longer than the frame accepts', new Uint8Array(1200)],
  ['64 kB long', new Uint8Array(45_000)],
  ['that of a different passkey', new Uint8Array(32)],
])('rejects a passkey whose ID in the authenticator data is %s, and the account stays readable', async (name, id) => {
  const { browser, userId } = await owner(`id${name.length}@shop.example`)
  const { body } = await browser.send('POST', '/vault/passkeys/options', {})
  const response = createSoftwarePasskey().create(body.options, page, id)
  const answer = await browser.send('POST', '/vault/passkeys', { userId, name: 'Thief', response })
  // The test server rejects a response that the frame could not read.
  expect((await browser.send('GET', '/vault/me')).body.passkeys).toMatchObject([{ name: 'Phone' }])
  expect(answer.body.code).toBe('passkey/refused')
})

test('an account has at most thirty passkeys, even if more are registered at the same time', async () => {
  const { browser, userId } = await owner('many@shop.example')
  // Each tab has its own challenge, because only the session and the browser are shared.
  const registrations = await Promise.all(
    Array.from({ length: 33 }, async () => {
      const tab = keys.browser()
      for (const [name, value] of browser.cookies) if (!name.endsWith('.flow')) tab.cookies.set(name, value)
      const { body } = await tab.send('POST', '/vault/passkeys/options', {})
      return { tab, response: createSoftwarePasskey().create(body.options, page) }
    }),
  )
  const answers = await Promise.all(
    registrations.map(({ tab, response }) => tab.send('POST', '/vault/passkeys', { userId, name: 'Key', response })),
  )
  expect((await browser.send('GET', '/vault/me')).body.passkeys).toHaveLength(30)
  expect(answers.filter(({ body }) => body.code === 'limit/reached')).toHaveLength(4)
})

test('does not store secret extension results', async () => {
  await owner('prf@shop.example')
  const { vaultPasskeys } = await import('../tables/vaultSchema.ts')
  const { pendingSteps } = await import('../../storage/verificationSchema.ts')
  const rows = await keys.connection.use(async (database) => [
    await database.select().from(vaultPasskeys),
    await database.select().from(pendingSteps),
  ])
  expect(JSON.stringify(rows)).not.toContain('a secret of the page')
})

test('a passkey can create an account and sign the user in to it, and its registration cannot be replayed', async () => {
  const browser = keys.browser()
  const passkey = createSoftwarePasskey()
  const { body } = await browser.send('POST', '/vault/passkeys/account/options', {})
  const response = passkey.create(body.options, page)
  const made = await browser.send('POST', '/vault/passkeys/account', { name: 'Phone', response })
  expect(made.body.user).toMatchObject({ email: null })
  expect((await browser.send('GET', '/vault/me')).body).toMatchObject({
    user: { id: made.body.user.id },
    record: null,
    passkeys: [{ id: response.id }],
  })
  expect((await signIn(keys.browser(), passkey)).body.user.id).toBe(made.body.user.id)
  // A registration response is rejected the second time, because its challenge has already been used.
  const other = keys.browser()
  const again = await other.send('POST', '/vault/passkeys/account/options', {})
  const copied = passkey.create(again.body.options, page)
  expect((await other.send('POST', '/vault/passkeys/account', { name: 'x', response: copied })).status).toBe(200)
  const spent = await other.send('POST', '/vault/passkeys/account', { name: 'x', response: copied })
  expect([spent.status, spent.body.code]).toEqual([422, 'passkey/refused'])
})
