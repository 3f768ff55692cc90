import * as contract from '@latchkey/protocol/http/keys'
import * as sharesContract from '@latchkey/protocol/http/keys/assistedCustody'
import * as windowContract from '@latchkey/protocol/http/keys/crossSite'
import * as identifyContract from '@latchkey/protocol/http/visitorIdentification'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connection } from '../storage/databaseConnection.ts'
import { keysOrigin, startKeys, type TestBrowser, type TestKeys, temporaryConnection } from '../testing/keysServer.ts'
import { localEscrowKeyService } from './assistedShareKeyService.ts'

let connection: Connection
let keys: TestKeys
let browser: TestBrowser
let userId = ''
let passed = 0

beforeAll(async () => {
  connection = await temporaryConnection()
}, 60_000)
afterAll(() => connection?.close())

// Each test starts with unused limits and a recent sign-in, so that malformed input gets past both checks.
beforeEach(async () => {
  keys = await startKeys({
    connection,
    social: new Map([
      [
        'github',
        {
          clientId: 'id',
          clientSecret: 'secret',
          endpoints: { authorize: 'https://a.example', token: 'https://a.example' },
        },
      ],
    ]),
    escrowKeyService: localEscrowKeyService(Buffer.alloc(32, 1).toString('base64url')),
  })
  passed += 25 * 60 * 60_000
  keys.pass(passed)
  browser = keys.browser()
  userId = (await keys.signIn(browser, 'ada@shop.example')).id
})

const bytes = 'YWJj'.repeat(12)
const id22 = bytes.slice(0, 22)
const share = bytes.slice(0, 44)
const response = {
  id: bytes,
  rawId: bytes,
  type: 'public-key',
  response: {
    clientDataJSON: bytes,
    attestationObject: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes,
  },
}

/** A valid body for each call that has one. */
const bodies: Readonly<Record<string, () => object>> = {
  postEmail: () => ({ email: 'eve@shop.example', visitorId: 'visitor' }),
  postEmailCode: () => ({ otp: '123456' }),
  postEmailChange: () => ({ email: 'eve@shop.example' }),
  postEmailChangePrimary: () => ({ otp: '123456' }),
  postEmailChangeSecondary: () => ({ otp: '123456' }),
  putRecord: () => ({ userId, record: '{"a":1}', expectedVersion: 0 }),
  postDevice: () => ({ userId, deviceId: 'device', name: 'Laptop' }),
  postTransfer: () => ({ commitment: bytes }),
  postTransferStep: () => ({ value: bytes }),
  postSocial: () => ({ opener: 'https://shop.example' }),
  postSocialFinish: () => ({ resultUri: `${keysOrigin}/vault/social/done?ticket=x` }),
  postPasskey: () => ({ userId, name: 'Key', response }),
  postPasskeySignIn: () => ({ response }),
  postPasskeyAccount: () => ({ name: 'Key', response }),
  postIdentifyFailure: () => ({ failure: 'identify/timeout' }),
  postHandover: () => ({ id: share.slice(0, 43), sealed: bytes }),
  postHandoverWait: () => ({ secret: share.slice(0, 43), seen: 'waiting' }),
  postHandoverStep: () => ({ secret: share.slice(0, 43), state: 'answered', sealed: bytes }),
  postHandoverEnd: () => ({ secret: share.slice(0, 43) }),
  postConnection: () => ({ page: 'http://shop.localhost' }),
  postConnectionMe: () => ({ token: share.slice(0, 43), page: 'http://shop.localhost' }),
  postConnectionSignOut: () => ({ token: share.slice(0, 43), page: 'http://shop.localhost' }),
  postShares: () => ({ userId, wallet: id22, wrapper: id22, server: share, escrow: share }),
  postSharesRelease: () => ({ userId, wrapper: id22, recover: false }),
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const calls = Object.entries<unknown>({
  ...contract,
  ...identifyContract,
  ...sharesContract,
  ...windowContract,
}).filter(
  (entry): entry is [string, Call] =>
    typeof entry[1] === 'object' && entry[1] !== null && 'method' in entry[1] && 'path' in entry[1],
)
const withBody = calls.filter(([, { body }]) => body !== undefined)
const withParameter = calls.filter(([, { path }]) => path.includes('/:'))

/** Returns malformed strings for a call. Handovers allow longer bodies than other calls do. */
const oddTexts = (name: string) => [
  '\0',
  'a\0b',
  '\ud83d',
  'x\udc00y',
  'x'.repeat(/^postHandover(Step)?$/.test(name) ? windowContract.maxHandoverBytes + 1 : 100_000),
]

/** Returns copies of the body in which one value or property is replaced by `odd`. */
function variants(value: unknown, odd: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [odd]
  return Object.entries(value).flatMap(([name, item]) =>
    variants(item, odd).map((variant) => ({ ...value, [name]: variant })),
  )
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const filled = (path: string, parameter = 'known') => path.replace(/:\w+/g, parameter)

describe('malformed input', { timeout: 120_000 }, () => {
  test('every call with a body has a valid example', () => {
    expect(withBody.map(([name]) => name).filter((name) => !bodies[name])).toEqual([])
    expect(withBody.length).toBeGreaterThan(14)
  })

  test.each(withBody)('%s responds to malformed strings with 400 and a reason', async (name, { method, path }) => {
    for (const odd of oddTexts(name))
      for (const body of variants(bodies[name]?.(), odd)) {
        const answer = await browser.send(method, filled(path), body)
        const shown = JSON.stringify(body).slice(0, 300)
        expect([400, 413], shown).toContain(answer.status)
        expect(answer.body.code, shown).toMatch(/^(input|email)\/invalid$|^record\/too-large$/)
      }
  })

  test.each(withBody)('%s responds to deeply nested JSON with 400 and a reason', async (name, { method, path }) => {
    const good = JSON.stringify(bodies[name]?.())
    for (const text of [
      nested(50_000),
      `{"a":${nested(20_000)}}`,
      good.replace(/\}$/, `,"more":${nested(20_000)}}`),
      '{"email":',
      '\0',
    ]) {
      const answer = await keys.server(
        new Request(keysOrigin + filled(path), {
          method,
          headers: {
            origin: keysOrigin,
            'sec-fetch-site': 'same-origin',
            'content-type': 'application/json',
            cookie: [...browser.cookies].map(([cookie, value]) => `${cookie}=${value}`).join('; '),
          },
          body: text,
        }),
      )
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        code: expect.stringMatching(/invalid$/),
        message: expect.any(String),
      })
    }
  })

  test.each(withParameter)('%s responds to malformed paths with 400 or 404', async (name, { method, path }) => {
    for (const odd of ['%00', 'a%00b', '%ED%A0%BD', '%', '%2e%2e', '%ff', 'x'.repeat(5000), 'a%20b', '%27']) {
      const answer = await browser.send(method, filled(path, odd), bodies[name]?.())
      expect([400, 404], `${path} ${odd.slice(0, 20)}`).toContain(answer.status)
      expect(answer.body.code).toMatch(/^(input\/invalid|path\/unknown)$/)
    }
  })

  test.each([
    '/vault/approve?token=%00',
    '/vault/approve?token=%ED%A0%BD',
    '/vault/social/callback/%00?state=%00&code=%00',
    '/vault/social/callback/github?state=%ED%A0%BD&code=a%00&error=%00',
    '/vault/social/done?error=%00&ticket=%ED%A0%BD',
    '/vault/config?x=%00',
    '/%00',
    '/vault/%00',
  ])('GET %s does not cause a server error', async (path) => {
    expect((await browser.visit(path)).status).toBeLessThan(500)
  })

  test('malformed cookies are ignored', async () => {
    for (const value of ['\ufffd', '%00', '%', 'a'.repeat(10_000), '..', 'x.%00', '{}']) {
      for (const name of ['__Host-latchkey.session', '__Host-latchkey.flow', '__Host-latchkey.browser']) {
        const odd = keys.browser()
        odd.cookies.set(name, value.replace('\ufffd', '\u00ff'))
        expect((await odd.send('GET', '/vault/me')).status, `${name} ${value.slice(0, 20)}`).toBe(401)
      }
    }
  })
})
