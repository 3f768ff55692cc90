import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, type ChainId, chainOf, type Namespace } from '@latchkey/protocol/caip'
import { writeMessage } from '@latchkey/siwx/message'
import { malleatedSignature, signWith, type TestSigner, type Visitor, visitor } from '@latchkey/siwx/testing'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Server } from '../http/routeList.ts'
import { inMemoryDependencies, inMemoryProjects } from '../inMemoryDependencies.ts'
import type { Mail } from '../mail/mailer.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import type { RpcProxy } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { pgliteConnection } from '../storage/pglite.ts'
import { createTestServer } from '../testing/declaredErrors.ts'
import { signInFromConfig } from './signInFromConfig.ts'

const base = 'https://connect.shop.example/auth/v1'
const shop = 'https://shop.example'
const now = Date.UTC(2026, 10, 22)
const chains: Readonly<Record<Namespace, ChainId>> = {
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  bip122: 'bip122:000000000019d6689c085ae165831e93',
  polkadot: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
  cosmos: 'cosmos:cosmoshub-4',
}
const families = Object.keys(chains) as Namespace[]

let connection: Connection
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-sign-in-'))
  connection = pgliteConnection({ folder })
})
afterAll(async () => {
  await connection.close()
  await rm(folder, { recursive: true })
})

const about = { name: '', features: [], analytics: true }
const registered = [
  { ...about, id: 'shop', allowedOrigins: [shop, 'https://*.shop.example'] },
  { ...about, id: 'open', allowedOrigins: [] },
]

function start({
  projects = registered,
  node = '0x' as string | null,
  isMailing = true,
  mailsPerHour = 1000,
  at = now,
} = {}) {
  const mails: Mail[] = []
  const time = { now: at }
  const chain: RpcProxy = {
    supported: () => [chains.eip155],
    send: async () =>
      node === null
        ? { kind: 'unavailable' }
        : { kind: 'answered', body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: node }) },
  }
  const metrics = createMetrics()
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: async () => {} }
  const signIn = signInFromConfig({
    config: { hours: 24, transport: 'token' },
    connection,
    chain,
    metrics,
    mailer: isMailing ? mailer : undefined,
    mailsPerHour,
    now: () => time.now,
  })
  const server: Server = createTestServer(
    inMemoryDependencies({ projects: inMemoryProjects(projects), metrics, signIn }),
  )
  const page = (origin: string | null = shop, address?: string) =>
    visitor({ page: origin ?? undefined, base, server: (request) => server(request, address ? { address } : {}) })
  return { page, server, metrics, mails, time, sweep: signIn.sweep }
}

/** Signs in. Resolves to the status, the reason for a rejection, and the headers that authenticate further requests. */
async function signIn(
  someone: Visitor,
  {
    project = 'shop',
    page = shop,
    signer = signWith('eip155', 1) as TestSigner,
    chain = chains.eip155,
    alter = (signature: string) => signature,
    resources = [] as readonly string[],
    headers = {} as Record<string, string>,
    at = now,
  } = {},
): Promise<{ status: number; reason: string; headers: Record<string, string> }> {
  const query = `?projectId=${project}`
  const { nonce, token } = (await (await someone.ask('GET', `/nonce${query}`)).json()) as Record<string, string>
  const account = signer.account(chain)
  const message = writeMessage({
    domain: new URL(page).host,
    uri: page,
    version: '1',
    nonce: nonce ?? '',
    chainId: chainOf(account),
    accountAddress: addressOf(account),
    issuedAt: new Date(at).toISOString(),
    expirationTime: new Date(at + 86_400_000).toISOString(),
    ...(resources.length > 0 ? { resources } : {}),
  })
  const body = { message, signature: alter(await signer.sign(message)), clientId: null }
  const answer = await someone.ask('POST', `/authenticate${query}`, {
    body,
    headers: { 'x-nonce-jwt': `Bearer ${token}`, ...headers },
  })
  const json = (await answer.json()) as { token?: string; reasons?: [{ field: string }] }
  return {
    status: answer.status,
    reason: json.reasons?.[0].field ?? '',
    headers: { authorization: `Bearer ${json.token}` },
  }
}

describe.each(families)('on %s', (family) => {
  const chain = chains[family]
  const signer = signWith(family, 1)

  test('a wallet can sign in', async () => {
    const someone = start().page()
    const { status, headers } = await signIn(someone, { signer, chain })
    expect(status).toBe(200)
    const me = await someone.ask('GET', '/me?projectId=shop', { headers })
    const account = signer.account(chain)
    expect(await me.json()).toMatchObject({
      // `sub` is in canonical form, regardless of the letter case in the message.
      sub: family === 'eip155' ? `${chain}:${getAddress(addressOf(account))}` : account,
      address: addressOf(account),
      chainNamespace: family,
      caip2Network: chain,
      chainId: family === 'eip155' ? 1 : chain.split(':')[1],
    })
  })

  test('a signature by a different key, for a different namespace or in a different encoding is rejected', async () => {
    const someone = start().page()
    const other = { ...signer, sign: signWith(family, 2).sign }
    const foreign = { ...signer, sign: signWith(family === 'solana' ? 'eip155' : 'solana', 1).sign }
    for (const wrong of [
      { signer: other },
      { signer: foreign },
      { signer, alter: (signature: string) => malleatedSignature(family, signature) },
    ])
      expect(await signIn(someone, { chain, ...wrong })).toMatchObject({ status: 401, reason: 'signature' })
  })
})

test('signing in fails with 503 if no node responds, because the signature cannot be checked', async () => {
  const contract = { ...signWith('eip155', 3), sign: async () => '0x1234' }
  const { page, metrics } = start({ node: null })
  expect(await signIn(page(), { signer: contract })).toMatchObject({ status: 503, reason: 'signature' })
  expect(await metrics.print()).toContain('latchkey_sign_ins_total{outcome="unverified"} 1')
})

test('a contract wallet can sign in, and its signature is checked through this server’s nodes', async () => {
  const contract = { ...signWith('eip155', 3), sign: async () => '0x1234' }
  expect(await signIn(start({ node: `0x1626ba7e${'0'.repeat(56)}` }).page(), { signer: contract })).toMatchObject({
    status: 200,
  })
})

describe('projects', () => {
  test('if a project has no allowed origins, a sign-in is bound to the page that requested it', async () => {
    const { page } = start()
    const [firstPage, secondPage] = ['https://one.example', 'https://other.example']
    expect(await signIn(page(firstPage), { project: 'open', page: firstPage })).toMatchObject({ status: 200 })
    // A page submits a message signed for a different page, with a nonce issued to itself.
    expect(await signIn(page(firstPage), { project: 'open', page: secondPage })).toMatchObject({
      status: 401,
      reason: 'domain',
    })
    const { headers } = await signIn(page(firstPage), { project: 'open', page: firstPage })
    expect((await page(firstPage).ask('GET', '/me?projectId=open', { headers })).status).toBe(200)
    expect((await page(secondPage).ask('GET', '/me?projectId=open', { headers })).status).toBe(401)
  })

  test('a nonce issued to one page is invalid on a different page', async () => {
    const { page } = start()
    const { nonce, token } = (await (await page(shop).ask('GET', '/nonce?projectId=shop')).json()) as Record<
      string,
      string
    >
    const admin = 'https://admin.shop.example'
    const signer = signWith('eip155', 1)
    const message = writeMessage({
      domain: 'admin.shop.example',
      uri: admin,
      version: '1',
      nonce: nonce ?? '',
      chainId: chains.eip155,
      accountAddress: addressOf(signer.account(chains.eip155)),
      issuedAt: new Date(now).toISOString(),
      expirationTime: new Date(now + 1000).toISOString(),
    })
    const answer = await page(admin).ask('POST', '/authenticate?projectId=shop', {
      body: { message, signature: await signer.sign(message) },
      headers: { 'x-nonce-jwt': `Bearer ${token}` },
    })
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('"nonce"')])
  })

  test('a session for one project is invalid for a different project and for requests without a project', async () => {
    const someone = start().page()
    const { headers } = await signIn(someone)
    expect((await someone.ask('GET', '/me?projectId=shop', { headers })).status).toBe(200)
    for (const query of ['?projectId=open', '?projectId=none', '?projectId=', ''])
      expect((await someone.ask('GET', `/me${query}`, { headers })).status).toBe(401)
  })

  test('a page is rejected if the project does not allow its origin or the page does not use HTTPS [R6.2]', async () => {
    const { page } = start()
    for (const origin of ['https://evil.example', 'http://shop.example', 'https://shop.example.evil.example'])
      expect((await page(origin).ask('GET', '/nonce?projectId=shop')).status).toBe(401)
    const rejected = await page('https://evil.example').ask('GET', '/nonce?projectId=shop')
    expect(await rejected.text()).toContain('Add https://evil.example to `origins`')
    expect((await page('http://wide.example').ask('GET', '/nonce?projectId=open')).status).toBe(401)
    expect((await page(null).ask('GET', '/nonce?projectId=shop')).status).toBe(401)
  })
})

test('a signed-out session stays invalid after an instance whose clock is ahead deletes expired entries', async () => {
  const [first, second] = [start(), start()]
  const page = first.page()
  const { headers } = await signIn(page)
  const me = async () => (await page.ask('GET', '/me?projectId=shop', { headers })).status
  first.time.now = now + 86_400_000 - 10_000
  expect(await me()).toBe(200)
  await page.ask('POST', '/sign-out?projectId=shop', { headers })
  second.time.now = first.time.now + 30_000
  await second.sweep()
  expect(await me()).toBe(401)
})

test('metadata that a page sets for an account is stored, up to a size limit', async () => {
  const someone = start().page()
  const { headers } = await signIn(someone)
  const put = (body: unknown) => someone.ask('PUT', '/account-metadata?projectId=shop', { body, headers })
  const readMetadata = async () => {
    const me = await someone.ask('GET', '/me?projectId=shop&includeAppKitAccount=true', { headers })
    return ((await me.json()) as { appKitAccount: { metadata: unknown } }).appKitAccount.metadata
  }
  expect(await readMetadata()).toBe(null)
  expect((await put({ metadata: { colour: 'green' } })).status).toBe(200)
  expect(await readMetadata()).toEqual({ colour: 'green' })
  expect((await put({ metadata: { long: 'x'.repeat(5000) } })).status).toBe(413)
  expect((await put({ metadata: 'text' })).status).toBe(400)
  expect((await someone.ask('PUT', '/account-metadata?projectId=shop', { body: { metadata: null } })).status).toBe(401)
  expect((await put({ metadata: null })).status).toBe(200)
  expect(await readMetadata()).toBe(null)
})

describe('email addresses', () => {
  const account = signWith('eip155', 1).account(chains.eip155)
  const ask = (someone: Visitor, email: string) =>
    someone.ask('POST', '/otp?projectId=shop', { body: { email, account } })
  const type = (someone: Visitor, uuid: string, code: string) =>
    someone.ask('PUT', '/otp?projectId=shop', { body: { code }, headers: { 'x-otp': uuid } })
  const resources = ['email:ada@shop.example']
  const codeIn = (mails: readonly Mail[]): string => /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''

  test('once the user has entered the emailed code, one sign-in with the same account includes the email address in the session', async () => {
    const { page, mails } = start()
    const someone = page()
    const { uuid } = (await (await ask(someone, 'Ada@shop.example')).json()) as { uuid: string }
    expect(mails.at(-1)?.to).toBe('ada@shop.example')
    const code = codeIn(mails)
    const otp = { 'x-otp': uuid }
    expect(await signIn(someone, { resources, headers: otp })).toMatchObject({ status: 401, reason: 'otp' })
    expect((await type(someone, uuid, code === '000000' ? '000001' : '000000')).status).toBe(401)
    expect((await type(someone, uuid, code)).status).toBe(200)
    const other = { resources: ['email:bob@shop.example'], headers: otp }
    expect(await signIn(someone, other)).toMatchObject({ status: 401, reason: 'otp' })
    const stranger = { resources, headers: otp, signer: signWith('eip155', 2) }
    expect(await signIn(someone, stranger)).toMatchObject({ status: 401, reason: 'otp' })
    const { status, headers } = await signIn(someone, { resources, headers: otp })
    expect(status).toBe(200)
    const me = await someone.ask('GET', '/me?projectId=shop', { headers })
    expect(await me.json()).toMatchObject({ email: 'ada@shop.example' })
    expect(await signIn(someone, { resources, headers: otp })).toMatchObject({ status: 401, reason: 'otp' })
  })

  test('an address with an internationalized domain is verified in its canonical form', async () => {
    const { page, mails } = start()
    const someone = page()
    const { uuid } = (await (await ask(someone, 'Ada@Bücher.example')).json()) as { uuid: string }
    expect(mails.at(-1)?.to).toBe('ada@xn--bcher-kva.example')
    expect((await type(someone, uuid, codeIn(mails))).status).toBe(200)
    const headers = { 'x-otp': uuid }
    const malformed = { resources: ['email:%E0%A4@shop.example'], headers }
    expect(await signIn(someone, malformed)).toMatchObject({ status: 401, reason: 'otp' })
    const signedIn = await signIn(someone, { resources: ['email:Ada@B%C3%BCcher.example'], headers })
    const me = await someone.ask('GET', '/me?projectId=shop', { headers: signedIn.headers })
    expect(await me.json()).toMatchObject({ email: 'ada@xn--bcher-kva.example' })
  })

  test.each(['ada@shop', 'Ada <ada@shop.example>', 'ada@192.0.2.1', 'ada@shop.example.'])(
    '%s is rejected, as for logins to the embedded wallet',
    async (email) => {
      const { page, mails } = start()
      const answer = await ask(page(), email)
      expect([answer.status, await answer.json()]).toMatchObject([400, { reasons: [{ field: 'email' }] }])
      expect(mails).toEqual([])
    },
  )

  test('wrong codes entered by strangers never prevent the owner from entering a code that the owner requested', async () => {
    const email = 'besieged@shop.example'
    const { page, mails, time } = start({ at: now + 80 * 86_400_000 })
    /** Requests a code from a new network. Resolves to how many wrong codes were compared, of up to five. */
    const guess = async (block: number): Promise<number> => {
      const stranger = page(shop, `198.51.${block}.1`)
      const { uuid } = (await (await ask(stranger, email)).json()) as { uuid?: string }
      if (uuid === undefined) return 0
      const wrong = codeIn(mails) === '000000' ? '000001' : '000000'
      let compared = 0
      for (let n = 0; n < 5; n += 1) if ((await type(stranger, uuid, wrong)).status === 401) compared += 1
      return compared
    }
    let compared = 0
    for (let block = 0; block < 4; block += 1) compared += await guess(block)
    expect(compared).toBe(20)
    time.now += 10 * 60_000
    // From now on, each emailed code can be tried once.
    expect(await guess(20)).toBe(1)
    const owner = page(shop, '203.0.113.1')
    const { uuid } = (await (await ask(owner, email)).json()) as { uuid: string }
    const code = codeIn(mails)
    expect(await guess(21)).toBe(1)
    expect((await type(owner, uuid, code)).status).toBe(200)
    const { uuid: next } = (await (await ask(owner, email)).json()) as { uuid: string }
    const other = codeIn(mails)
    expect((await type(owner, next, other === '000000' ? '000001' : '000000')).status).toBe(401)
    const late = await type(owner, next, other)
    expect([late.status, await late.json()]).toMatchObject([429, { reasons: [{ field: 'email' }] }])
  })

  test('the number of emails to one address is limited', async () => {
    const someone = start().page()
    const answers: number[] = []
    for (let at = 0; at < 13; at += 1) answers.push((await ask(someone, 'flood@shop.example')).status)
    expect(answers).toEqual([...Array.from({ length: 12 }, () => 200), 429])
  })

  test('one IP address block can request at most half of all emails', async () => {
    const { page } = start({ mailsPerHour: 20, at: now + 40 * 86_400_000 })
    const statusFor = async (address: string) => (await ask(page(shop, address), `${address}@shop.example`)).status
    let mailed = 0
    for (let at = 0; at < 12; at += 1) {
      const answer = await ask(page(shop, `2001:db8:78:${at.toString(16)}00::1`), `block${at}@shop.example`)
      if (answer.status === 200) mailed += 1
    }
    expect(mailed).toBe(10)
    expect(await statusFor('192.0.2.78')).toBe(200)
  })

  test('an email address is neither verified nor stored if no mailer is configured', async () => {
    const someone = start({ isMailing: false }).page()
    expect(await (await ask(someone, 'ada@shop.example')).json()).toEqual({ uuid: null })
    const { headers } = await signIn(someone, { resources })
    expect(await (await someone.ask('GET', '/me?projectId=shop', { headers })).json()).not.toHaveProperty('email')
  })
})

describe('malformed input', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const texts = ['\0', 'a\0b', '\ud83d', 'x\udc00y', 'x'.repeat(50_000)]
  const bodies: Readonly<Record<string, (odd: unknown) => readonly unknown[]>> = {
    'POST authenticate': (odd) => [
      { message: odd, signature: '0x' },
      { message: 'a', signature: odd },
      { message: 'a', signature: '0x', data: { chainId: odd, accountAddress: 'a' } },
      { message: 'a', signature: '0x', data: { chainId: 1, accountAddress: odd } },
    ],
    'PUT account-metadata': (odd) => [
      { metadata: { a: odd } },
      { metadata: { a: [{ b: odd }] } },
      { metadata: { [String(odd)]: 1 } },
      { metadata: odd },
    ],
    'POST otp': (odd) => [
      { email: odd, account: 'eip155:1:0x1' },
      { email: `${String(odd)}@shop.example`, account: 'eip155:1:0x1' },
      { email: 'ada@shop.example', account: `eip155:1:${String(odd)}` },
    ],
    'PUT otp': (odd) => [{ code: odd }],
  }

  test.each(Object.keys(bodies))('%s responds to malformed input with 400 or 413 and a reason', async (call) => {
    const [method = '', path = ''] = call.split(' ')
    const { server, page } = start()
    const { headers } = await signIn(page())
    const ask = (text: string) =>
      server(
        new Request(`${base}/${path}?projectId=shop`, {
          method,
          headers: { origin: shop, 'content-type': 'application/json', 'x-otp': 'x', ...headers },
          body: text,
        }),
      )
    const odd = texts.flatMap((text) => bodies[call]?.(text) ?? []).map((body) => JSON.stringify(body))
    const deep = [
      nested(1000),
      `{"metadata":{"a":${nested(900)}}}`,
      `{"message":"a","signature":"b","data":${nested(1000)}}`,
    ]
    const deepInPlace = (bodies[call]?.('DEEP') ?? [])
      .map((body) => JSON.stringify(body).replace('"DEEP"', nested(900)))
      .filter((text) => text.includes('[[['))
    for (const text of [...odd, ...deep, ...deepInPlace]) {
      const answer = await ask(text)
      expect([400, 413], text.slice(0, 200)).toContain(answer.status)
      expect(await answer.json(), text.slice(0, 200)).toMatchObject({ reasons: [{ description: expect.any(String) }] })
    }
  })

  test.each(['%00', 'a%00b', '%00%00', 'x'.repeat(5000)])('the project ID %s is rejected', async (project) => {
    const { server } = start({ projects: [] })
    for (const path of ['nonce', 'me', 'keys'])
      expect(
        (await server(new Request(`${base}/${path}?projectId=${project}`, { headers: { origin: shop } }))).status,
      ).toBe(400)
  })

  test('malformed accounts and proofs are ignored or rejected', async () => {
    const someone = start().page()
    for (const query of ['account=%00', 'account=%ED%A0%BD', `account=${'x'.repeat(5000)}`, 'includeAppKitAccount=%00'])
      expect((await someone.ask('GET', `/me?projectId=shop&${query}`)).status).toBeLessThan(500)
    for (const proof of ['\u00ff', '%00', 'x'.repeat(9000)])
      expect(
        (await someone.ask('PUT', '/otp?projectId=shop', { body: { code: '123456' }, headers: { 'x-otp': proof } }))
          .status,
      ).toBe(401)
  })
})

describe('when the server clock jumps', () => {
  test.each([
    ['back by a minute', -60_000],
    ['forward by an hour', 3_600_000],
  ])(
    'after a jump %s, sessions stay valid, users can sign in, and signed-out sessions stay invalid',
    async (_, step) => {
      const { page, time } = start()
      const someone = page()
      const { status, headers } = await signIn(someone)
      expect(status).toBe(200)
      time.now += step
      const me = await someone.ask('GET', '/me?projectId=shop', { headers })
      expect(me.status).toBe(200)
      expect((await signIn(page(), { at: time.now })).status).toBe(200)
      expect((await someone.ask('POST', '/sign-out?projectId=shop', { headers })).status).toBe(200)
      time.now -= step
      expect((await someone.ask('GET', '/me?projectId=shop', { headers })).status).toBe(401)
    },
  )
})
