import { createHash } from 'node:crypto'
import { createVerifier } from '@latchkey/walletconnect/verify'
import { expect, test } from 'vitest'
import { inMemoryDependencies, inMemoryProjects } from '../inMemoryDependencies.ts'
import { newSigningKey } from '../storage/newSigningKey.ts'
import { createTestServer } from '../testing/declaredErrors.ts'
import { createAttestationSigner } from './attestationSigner.ts'

const shop = 'https://shop.example'
const frame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }
const messageId = createHash('sha256').update('sealed').digest('hex')
const project = { name: '', features: [], analytics: false }

/** Creates a Verify service with two projects, and a wallet that trusts the service and verifies its attestations. */
function service() {
  const time = { now: Date.UTC(2026, 10, 21) }
  let key: ReturnType<typeof newSigningKey> | undefined
  const projects = inMemoryProjects([
    { ...project, id: 'p', allowedOrigins: ['https://*.example', 'http://localhost:3000'] },
    { ...project, id: 'open', allowedOrigins: [] },
  ])
  const verify = createAttestationSigner({
    ring: {
      keys: async () => {
        key ??= newSigningKey()
        return [{ name: 'verify', key: await key, createdAt: 0, signsFrom: 0 }]
      },
    },
    projects,
    scams: ['https://evil.example'],
    now: () => time.now,
  })
  const server = createTestServer(inMemoryDependencies({ verify }))
  const ask = (query: Record<string, string>, headers: Record<string, string> = frame): Promise<Response> =>
    server(new Request(`http://x/v3/attestation?${new URLSearchParams(query)}`, { headers }))
  const attested = async (query: Record<string, string>, headers?: Record<string, string>): Promise<string> => {
    const page = await (await ask({ projectId: 'p', origin: shop, id: messageId, ...query }, headers)).text()
    return /data-attestation="([^"]*)"/.exec(page)?.[1] ?? ''
  }
  const clock = { now: () => time.now, after: () => () => {} }
  const verifier = createVerifier({
    verify: 'https://verify.example',
    clock,
    fetch: (url) => server(new Request(url)),
  })
  const judge = (attestation: string, url = `${shop}/cart?x=1`, id = messageId) =>
    verifier.verify({ attestation, messageId: id }, url)
  return { ask, attested, judge, time, verifier }
}

test('for two hours, every wallet that trusts the service treats a page of a known project as valid', async () => {
  const { attested, judge, time } = service()
  const attestation = await attested({})
  expect(await judge(attestation)).toBe('valid')
  time.now += 2 * 3_600_000
  expect(await judge(attestation)).toBe('unknown')
})

test('an attestation is invalid for a different page or a different message', async () => {
  const { attested, judge } = service()
  const attestation = await attested({})
  expect(await judge(attestation, 'https://bank.example')).toBe('invalid')
  expect(await judge(attestation, 'no address')).toBe('invalid')
  expect(await judge(attestation, shop, createHash('sha256').update('other').digest('hex'))).toBe('invalid')
})

test.each([
  ['that belongs to an unknown project', { projectId: 'q' }, shop],
  ['that its project does not list', { origin: 'https://shop.test' }, 'https://shop.test'],
  ['whose project does not list any origins', { projectId: 'open' }, shop],
  ['on localhost that its project does not list', { origin: 'http://localhost:4000' }, 'http://localhost:4000'],
])('a page %s is unknown', async (_, query, url) => {
  const { attested, judge } = service()
  expect(await judge(await attested(query), url)).toBe('unknown')
})

test('a page on localhost is valid if its project lists it, and the verdict is scam for a page that the operator lists', async () => {
  const { attested, judge } = service()
  expect(await judge(await attested({ origin: 'http://localhost:3000' }), 'http://localhost:3000')).toBe('valid')
  expect(await judge(await attested({ origin: 'https://evil.example' }), 'https://evil.example')).toBe('scam')
})

test.each([
  ['an empty string', () => ''],
  ['a string that is not a JWT', () => 'a.b.c'],
  ['an attestation by a different service', async () => service().attested({})],
  [
    'a modified attestation',
    async (own: string) => own.replace(/\.(.)/, (_, first) => `.${first === 'e' ? 'f' : 'e'}`),
  ],
  ['an attestation without a signature', async (own: string) => own.replace(/[^.]*$/, '')],
  [
    'an attestation with a different algorithm',
    async (own: string) => own.replace(/^[^.]*/, Buffer.from('{"alg":"none"}').toString('base64url')),
  ],
])('%s is not accepted', async (_, make) => {
  const { attested, judge } = service()
  expect(await judge(await make(await attested({})))).toBe('unknown')
})

test('the verdict is unknown while the service is unreachable', async () => {
  const { attested } = service()
  const fetch = async (): Promise<Response> => Promise.reject(new TypeError('offline'))
  const verifier = createVerifier({ verify: 'https://verify.example', fetch })
  expect(await verifier.verify({ attestation: await attested({}), messageId }, shop)).toBe('unknown')
})

test('only a frame in the page itself receives an attestation, and no other page can embed that frame', async () => {
  const { ask, attested } = service()
  for (const headers of [
    {},
    { ...frame, 'sec-fetch-dest': 'document' },
    { ...frame, 'sec-fetch-mode': 'cors' },
    { ...frame, referer: 'https://evil.example/' },
  ])
    expect(await attested({}, headers)).toBe('')
  expect(await attested({}, { ...frame, referer: `${shop}/` })).not.toBe('')
  const answer = await ask({ projectId: 'p', origin: shop, id: messageId })
  const policy = answer.headers.get('content-security-policy')
  expect(policy).toContain(`frame-ancestors ${shop};`)
  expect(policy).toContain("default-src 'none'")
  expect(await answer.text()).not.toContain("'*'")
})

test.each([
  { origin: '*' },
  { origin: 'null' },
  { origin: `${shop}/path` },
  { origin: `${shop}; script-src *` },
  { origin: 'https://*.example' },
  { origin: 'file://' },
  { id: 'short' },
])('the request %j is rejected', async (query) => {
  const { ask } = service()
  expect((await ask({ projectId: 'p', origin: shop, id: messageId, ...query })).status).toBe(404)
})
