import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { toBase58 } from '@latchkey/protocol/bytes'
import { expect, test } from 'vitest'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import type { Project } from '../serverDependencies.ts'
import { relayHost as host, relayToken as token } from '../testing/relayToken.ts'
import { createAuthenticator, type Handshake, handshakeOf } from './authenticator.ts'

const now = Date.UTC(2026, 10, 21)
const seconds = now / 1000
const day = 86_400

function authenticatorOf({ projects = [], limits = {} }: { projects?: Project[]; limits?: object } = {}) {
  const authenticator = createAuthenticator({
    projects: { all: async () => projects, save: async () => {}, remove: async () => false },
    rates: createMemoryRateLimiter(() => now),
    limits: { connections: 0, messages: 0, ...limits },
    now: () => now,
  })
  const authenticate = (handshake: Partial<Handshake> = {}) =>
    authenticator.authenticate({ auth: token(now), projectId: undefined, origin: undefined, host, ...handshake })
  return { ...authenticator, authenticate }
}

/** Returns a token whose issuer is derived from the key that signed the token. */
function tokenBy(issuerOf: (publicKey: Uint8Array) => string): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const claims = {
    iss: issuerOf(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)),
    aud: `wss://${host}`,
    iat: seconds,
    exp: seconds + day,
  }
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'EdDSA' })}.${part(claims)}`
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`
}

const didKey = (bytes: Iterable<number>): string => `did:key:z${toBase58(Uint8Array.from(bytes))}`

/** Returns a valid token of the given length. */
function tokenOfLength(length: number): string {
  for (let subject = 0; ; subject += 1) {
    const auth = token(now, { sub: '0'.repeat(Math.floor((length - 400) * 0.75) + subject) })
    if (auth.length >= length) return auth
  }
}

test('a client is identified by its key and its address groups, and has no project if none is registered', async () => {
  const { authenticate } = authenticatorOf()
  const groups = ['203.0.113.0/24', '203.0.113.7/32'].map((name) =>
    createHash('sha256').update(name).digest('base64url').slice(0, 22),
  )
  expect(await authenticate({ projectId: 'p', address: '203.0.113.7' })).toEqual({
    clientId: expect.stringMatching(/^did:key:z6Mk\w{44}$/),
    groups: [
      { name: groups[0], share: 32 },
      { name: groups[1], share: 1 },
    ],
    project: undefined,
  })
  expect(await authenticate({ address: '127.0.0.1' })).toMatchObject({ groups: [] })
})

const project: Project = {
  id: 'p',
  name: '',
  allowedOrigins: ['https://shop.example'],
  features: [],
  analytics: false,
}

test('if projects are registered, a client belongs to the project whose ID it sends', async () => {
  expect(await authenticatorOf({ projects: [project] }).authenticate({ projectId: 'p' })).toMatchObject({
    project: 'p',
  })
})

test.each<[string, Partial<Handshake>, object]>([
  [
    'no token',
    { auth: undefined },
    { tag: 'MissingJwt', message: 'JWT validation error: JWT is missing', status: 401, closeCode: 3000 },
  ],
  [
    'an invalid token',
    { auth: 'x' },
    { tag: 'InvalidJwt', message: 'JWT validation error: JWT is malformed', status: 401, closeCode: 3000 },
  ],
  [
    'an invalid project ID',
    { projectId: 'p p' },
    { tag: 'InvalidKey', message: 'Unauthorized: invalid key', status: 401, closeCode: 3000 },
  ],
  [
    'no project ID',
    { projectId: undefined },
    { tag: 'InvalidKey', message: 'Unauthorized: invalid key', status: 401, closeCode: 3000 },
  ],
  [
    'an unknown project',
    { projectId: 'q' },
    { tag: 'ProjectNotFound', message: 'Project not found', status: 401, closeCode: 3000 },
  ],
  [
    'an origin that is not allowed',
    { projectId: 'p', origin: 'https://evil.example' },
    { tag: 'OriginNotAllowed', message: 'Unauthorized: origin not allowed', status: 403, closeCode: 3000 },
  ],
])(
  'a client with %s receives the error name, message and codes that the wire format specifies',
  async (_, handshake, error) => {
    const { authenticate } = authenticatorOf({ projects: [project] })
    await expect(authenticate(handshake)).rejects.toMatchObject({ name: 'AuthError', ...error })
  },
)

test('limits the connection rate of each network separately and rejects connections that exceed it', async () => {
  const { authenticate } = authenticatorOf({ limits: { connections: 1 } })
  await authenticate({ address: '203.0.113.7' })
  await expect(authenticate({ address: '203.0.113.7' })).rejects.toMatchObject({
    tag: 'TooManyRequests',
    message: 'Too many requests',
    status: 429,
    closeCode: 3001,
  })
  expect(await authenticate({ address: '198.51.100.9' })).toHaveProperty('clientId')
})

test('limits the message rate of each network separately', async () => {
  const { authenticate, canSend } = authenticatorOf({ limits: { messages: 2 } })
  const [first, second] = [
    await authenticate({ address: '203.0.113.7' }),
    await authenticate({ address: '198.51.100.9' }),
  ]
  expect([await canSend(first), await canSend(first), await canSend(first)]).toEqual([true, true, false])
  expect([await canSend(second, 3), await canSend(second, 2), await canSend(second)]).toEqual([false, true, false])
})

test.each([
  ['issued two minutes in the future', { iat: seconds + 120, exp: seconds + day }],
  ['that expired two minutes ago', { iat: seconds - day, exp: seconds - 120 }],
  ['that is valid for seven days', { iat: seconds, exp: seconds + 7 * day }],
])('accepts a token %s', async (_, claims) => {
  expect(await authenticatorOf().authenticate({ auth: token(now, claims) })).toHaveProperty('clientId')
})

test.each([
  [
    'issued more than two minutes in the future',
    { iat: seconds + 121, exp: seconds + day },
    'JWT Token is not yet valid',
  ],
  ['that expired more than two minutes ago', { iat: seconds - day, exp: seconds - 121 }, 'JWT Token has expired'],
  [
    'that is valid for more than seven days',
    { iat: seconds, exp: seconds + 7 * day + 1 },
    'JWT is valid for more than 7 days',
  ],
])('rejects a token %s', async (_, claims, why) => {
  await expect(authenticatorOf().authenticate({ auth: token(now, claims) })).rejects.toThrow(
    `JWT validation error: ${why}`,
  )
})

test('accepts a token of 4,096 characters but not a longer one', async () => {
  const { authenticate } = authenticatorOf()
  const [longest, tooLong] = [tokenOfLength(4_096), tokenOfLength(4_097)]
  expect(longest).toHaveLength(4_096)
  expect(await authenticate({ auth: longest })).toHaveProperty('clientId')
  await expect(authenticate({ auth: tooLong })).rejects.toThrow('JWT validation error: JWT is too long')
})

test.each([
  ['one part', (text: string) => text.split('.')[0] ?? ''],
  ['two parts', (text: string) => text.split('.').slice(0, 2).join('.')],
  ['four parts', (text: string) => `${text}.x`],
])('rejects a token with %s as malformed', async (_, tamper) => {
  await expect(authenticatorOf().authenticate({ auth: token(now, {}, tamper) })).rejects.toThrow(
    'JWT validation error: JWT is malformed',
  )
})

test('accepts a token that is signed with its issuer’s key', async () => {
  const auth = tokenBy((key) => didKey([0xed, 1, ...key]))
  expect(await authenticatorOf().authenticate({ auth })).toHaveProperty('clientId')
})

test.each<[string, (key: Uint8Array) => string]>([
  ['a key with text before it', (key) => `x${didKey([0xed, 1, ...key])}`],
  ['a key with text after it', (key) => `${didKey([0xed, 1, ...key])}#1`],
  ['a key of a different type', (key) => didKey([0xec, 1, ...key])],
  ['a key of an unknown type', (key) => didKey([0xed, 2, ...key])],
  ['a key that is too short', (key) => didKey([0xed, 1, ...key.slice(1)])],
  ['a key that is too long', (key) => didKey([0xed, 1, ...key, 1])],
])('rejects a token whose issuer is %s', async (_, issuerOf) => {
  await expect(authenticatorOf().authenticate({ auth: tokenBy(issuerOf) })).rejects.toThrow(
    'JWT validation error: JWT issuer is not an Ed25519 did:key',
  )
})

test.each([
  ['wss://relay.example', 'relay.example:443'],
  ['wss://RELAY.example/', 'relay.EXAMPLE'],
  ['relay.example:8080', 'relay.example:8080'],
  ['wss://other.example', undefined],
])('accepts a token for %s on the host %s', async (aud, reached) => {
  expect(await authenticatorOf().authenticate({ auth: token(now, { aud }), host: reached })).toHaveProperty('clientId')
})

test.each([
  ['wss://relay.example', 'other.example'],
  ['wss://relay.example:8080', 'relay.example'],
  ['wss://relay.example:8080', 'relay.example80'],
])('rejects a token for %s on the host %s', async (aud, reached) => {
  await expect(authenticatorOf().authenticate({ auth: token(now, { aud }), host: reached })).rejects.toThrow(
    'JWT validation error: JWT audience is a different relay',
  )
})

test.each<[string, string, Record<string, string>, object]>([
  ['no credentials', '/rpc', {}, {}],
  ['a token in the query', '/?auth=a.b.c&projectId=p', {}, { auth: 'a.b.c', projectId: 'p' }],
  ['a token in a header', '/', { authorization: 'Bearer a.b.c' }, { auth: 'a.b.c' }],
  ['a token in a header with a lowercase scheme', '/', { authorization: 'bearer a.b.c' }, { auth: 'a.b.c' }],
  ['a token in both places', '/?auth=a.b.c', { authorization: 'Bearer x.y.z' }, { auth: 'a.b.c' }],
  ['a different authentication scheme', '/', { authorization: 'xBearer a.b.c' }, {}],
  ['text after the token in a header', '/', { authorization: 'Bearer a.b.c d' }, {}],
  ['a header that contains no token', '/', { authorization: 'Bearer  ' }, {}],
  ['an origin and a host', '//', { origin: 'https://shop.example', host }, { origin: 'https://shop.example', host }],
])('reads the handshake from a request with %s', (_, url, headers, found) => {
  const request = { url, headers: { get: (name: string) => headers[name] ?? null } }
  expect(handshakeOf(request, '203.0.113.7')).toEqual({
    auth: undefined,
    projectId: undefined,
    origin: undefined,
    host: undefined,
    address: '203.0.113.7',
    ...found,
  })
})
