import { generateKeyPairSync, sign } from 'node:crypto'
import { toBase58 } from '@latchkey/protocol/bytes'
import { readFrame } from '@latchkey/protocol/relay'
import { expect, test } from 'vitest'
import { createMetrics } from '../metrics.ts'
import type { Project } from '../ports.ts'
import { memoryMailboxes } from './mailbox.ts'
import { createRelay, type Greeting, relayLimits } from './relay.ts'

const topic = 'ab'.repeat(32)
const host = 'relay.example'

/** A token as a client makes it, with what a test wants to be wrong. */
function token(now: number, more: Record<string, unknown> = {}, tamper = (text: string): string => text): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const iat = Math.floor(now / 1000)
  const claims = {
    iss: `did:key:z${toBase58(Uint8Array.from([0xed, 1, ...raw]))}`,
    sub: '00',
    aud: `wss://${host}`,
    iat,
    exp: iat + 86_400,
    ...more,
  }
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part(claims)}`
  return tamper(`${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`)
}

function relayAt({
  projects = [],
  most = 500,
  limits = relayLimits,
}: {
  projects?: Project[]
  most?: number
  limits?: typeof relayLimits
} = {}) {
  const time = { now: Date.UTC(2026, 10, 21) }
  const now = (): number => time.now
  const relay = createRelay({
    mailboxes: memoryMailboxes({ now, most }),
    projects: { all: async () => projects, save: async () => {}, remove: async () => false },
    metrics: createMetrics(),
    log: () => {},
    now,
    limits,
  })
  let next = 1
  const client = (greeting: Partial<Greeting> = {}) => {
    const heard: ReturnType<typeof readFrame>[] = []
    const waiting: (() => void)[] = []
    const state = { closed: undefined as [number, string] | undefined }
    const wake = (): void => {
      for (const one of waiting.splice(0)) one()
    }
    const seat = relay.accept(
      {
        send(text) {
          heard.push(readFrame(text))
          wake()
        },
        close(code, reason) {
          state.closed = [code, reason]
          wake()
        },
      },
      { auth: token(time.now), projectId: 'p', origin: undefined, host, ...greeting },
    )
    const until = async <T>(found: () => T | undefined): Promise<T> => {
      for (;;) {
        const value = found()
        if (value !== undefined) return value
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    }
    const call = async (method: string, params: unknown, id = `"${next++}"`): Promise<Record<string, unknown>> => {
      seat.text(`{"id":${id},"jsonrpc":"2.0","method":"${method}","params":${JSON.stringify(params)}}`)
      return until(() => heard.find((frame) => frame?.id === id && !('method' in frame.body))?.body)
    }
    const pushes = () => heard.flatMap((frame) => (frame?.body.method === 'irn_subscription' ? [frame] : []))
    const messages = (): unknown[] =>
      pushes().map(({ body }) => (body.params as { data: { message: string } }).data.message)
    const acknowledge = (): void => {
      for (const { id } of pushes()) seat.text(`{"id":${id},"jsonrpc":"2.0","result":true}`)
    }
    return { seat, call, heard, pushes, messages, acknowledge, until, closed: () => until(() => state.closed), state }
  }
  return { time, client, relay }
}

const publication = { topic, message: 'AA==', ttl: 300, tag: 1100, prompt: true }

test('what one client publishes, the others of the topic get, and it does not', async () => {
  const { client } = relayAt()
  const [one, two, three] = [client(), client(), client()]
  await one.call('irn_subscribe', { topic })
  await two.call('irn_subscribe', { topic })
  await three.call('irn_subscribe', { topic: 'cd'.repeat(32) })
  expect(await one.call('irn_publish', publication)).toMatchObject({ result: true })
  const [push] = await two.until(() => (two.pushes().length > 0 ? two.pushes() : undefined))
  expect(push?.body.params).toMatchObject({ data: { topic, message: 'AA==', tag: 1100, attestation: null } })
  expect([one.messages(), three.messages()]).toEqual([[], []])
})

test('a message waits for who comes later, and is gone once somebody has taken it', async () => {
  const { client } = relayAt()
  const one = client()
  await one.call('irn_publish', publication)
  const two = client()
  await two.call('irn_batchSubscribe', { topics: [topic] })
  await two.until(() => (two.messages().length > 0 ? true : undefined))
  two.acknowledge()
  await two.call('irn_fetchMessages', { topic })
  const three = client()
  await three.call('irn_subscribe', { topic })
  await three.call('irn_fetchMessages', { topic })
  expect(three.messages()).toEqual([])
})

test('a client that breaks off before it has acknowledged gets the message again', async () => {
  const { client, time } = relayAt()
  const auth = token(time.now)
  const one = client()
  await one.call('irn_publish', publication)
  const two = client({ auth })
  await two.call('irn_subscribe', { topic })
  two.seat.gone()
  const again = client({ auth })
  await again.call('irn_subscribe', { topic })
  expect(await again.until(() => again.messages()[0])).toBe('AA==')
})

test('a message whose time is over is not delivered any more', async () => {
  const { client, time } = relayAt()
  const one = client()
  await one.call('irn_publish', publication)
  time.now += 300_000
  const two = client()
  await two.call('irn_subscribe', { topic })
  expect(await two.call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [], hasMore: false } })
  expect(two.messages()).toEqual([])
})

test('the same message twice is one', async () => {
  const { client } = relayAt()
  const one = client()
  await one.call('irn_publish', publication)
  await one.call('irn_publish', publication)
  const two = client()
  expect(await two.call('irn_batchFetchMessages', { topics: [topic] })).toMatchObject({
    result: { messages: [{ message: 'AA==' }] },
  })
})

test('the two newer calls subscribe and publish as their older ones do', async () => {
  const { client } = relayAt()
  const [page, wallet] = [client(), client()]
  const sessionTopic = 'ef'.repeat(32)
  const propose = { pairingTopic: topic, sessionProposal: 'cHJvcG9zZQ==', ttl: 300 }
  expect(await page.call('wc_proposeSession', propose)).toMatchObject({ result: true })
  await wallet.call('irn_subscribe', { topic })
  expect(await wallet.until(() => wallet.messages()[0])).toBe('cHJvcG9zZQ==')
  const approve = {
    pairingTopic: topic,
    sessionTopic,
    sessionProposalResponse: 'eWVz',
    sessionSettlementRequest: 'c2V0',
  }
  expect(await wallet.call('wc_approveSession', approve)).toMatchObject({ result: true })
  expect(await page.until(() => page.messages()[0])).toBe('eWVz')
  await page.call('irn_subscribe', { topic: sessionTopic })
  expect(await page.until(() => page.messages()[1])).toBe('c2V0')
  await page.call('irn_publish', { ...publication, topic: sessionTopic, message: 'b2s=' })
  expect(await wallet.until(() => wallet.messages()[1])).toBe('b2s=')
})

test.each(['1735689600000123456', '"1735689600000123456"', '7'])('the id %s comes back as it came', async (id) => {
  const { client } = relayAt()
  const one = client()
  await one.call('irn_subscribe', { topic }, id)
  expect(one.heard[0]?.id).toBe(id)
})

test('the names of old clients are known', async () => {
  const { client } = relayAt()
  const one = client()
  expect(await one.call('iridium_subscribe', { topic })).toHaveProperty('result')
  expect(await one.call('waku_publish', publication)).toHaveProperty('result', true)
})

test.each([
  ['no topic', 'irn_publish', { ...publication, topic: 'x' }, -32600, 'InvalidTopic'],
  ['a ttl of nothing', 'irn_publish', { ...publication, ttl: 0 }, -32600, 'TtlTooShort'],
  ['a ttl without end', 'irn_publish', { ...publication, ttl: 99 * 86_400 }, -32600, 'TtlTooLong'],
  ['an empty batch', 'irn_batchSubscribe', { topics: [] }, -32600, 'InvalidTopic'],
  ['too large a batch', 'irn_batchSubscribe', { topics: Array(501).fill(topic) }, -32600, 'InvalidTopic'],
  ['an unknown method', 'irn_other', {}, -32601, 'MethodNotFound'],
])('%s is refused, and the connection stays', async (_, method, params, code, data) => {
  const { client } = relayAt()
  const one = client()
  expect(await one.call(method, params)).toMatchObject({ error: { code, data } })
  expect(await one.call('irn_subscribe', { topic })).toHaveProperty('result')
})

test('a topic and a client have their limits', async () => {
  const { client } = relayAt({ most: 2, limits: { ...relayLimits, topics: 1 } })
  const one = client()
  for (const message of ['MQ==', 'Mg==']) await one.call('irn_publish', { ...publication, message })
  expect(await one.call('irn_publish', { ...publication, message: 'Mw==' })).toMatchObject({
    error: { data: 'MailboxLimitExceeded' },
  })
  await one.call('irn_subscribe', { topic })
  expect(await one.call('irn_subscribe', { topic: 'cd'.repeat(32) })).toMatchObject({
    error: { data: 'SubscriberLimitExceeded' },
  })
})

test('who floods is closed with 3001, who sends too much with 1009', async () => {
  const { client } = relayAt({ limits: { ...relayLimits, burst: 3, perSecond: 1, frame: 10_000 } })
  const one = client()
  for (let turn = 0; turn < 4; turn++) one.seat.text('{"id":1,"method":"irn_other"}')
  expect(await one.closed()).toEqual([3001, 'Too many requests'])
  const two = client()
  two.seat.text('x'.repeat(10_001))
  expect(await two.closed()).toEqual([1009, 'The message is too long'])
})

const now = Date.UTC(2026, 10, 21)
test.each([
  ['no token', undefined, 'JWT validation error: JWT is missing'],
  ['a token that is none', 'a.b.c', 'JWT validation error: JWT cannot be read'],
  ['one of tomorrow', token(now + 86_400_000), 'JWT validation error: JWT Token is not yet valid'],
  ['one of last week', token(now - 7 * 86_400_000), 'JWT validation error: JWT Token has expired'],
  [
    'one for another relay',
    token(now, { aud: 'wss://other.example' }),
    'JWT validation error: JWT audience is another relay',
  ],
  [
    'one of another issuer',
    token(now, { iss: `did:key:z${toBase58(Uint8Array.from([0xed, 1, ...Array(32).fill(9)]))}` }),
    'JWT validation error: JWT signature is wrong',
  ],
  [
    'one whose issuer is no key',
    token(now, { iss: 'did:web:x' }),
    'JWT validation error: JWT issuer is no did:key of Ed25519',
  ],
  [
    'one without a signature',
    token(now, {}, (text) => text.replace(/\.[^.]*$/, '.')),
    'JWT validation error: JWT signature is wrong',
  ],
])('with %s nobody comes in, and nothing that they sent is done', async (_, auth, reason) => {
  const { client } = relayAt()
  const one = client({ auth })
  one.seat.text(`{"id":1,"method":"irn_publish","params":${JSON.stringify(publication)}}`)
  expect(await one.closed()).toEqual([3000, reason])
  const two = client()
  expect(await two.call('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [] } })
})

test('a clock that is two minutes off is no reason to refuse', async () => {
  const { client } = relayAt()
  const one = client({ auth: token(now + 119_000) })
  expect(await one.call('irn_subscribe', { topic })).toHaveProperty('result')
})

test('with projects registered, unknown ids and foreign pages are refused; wallets have no origin', async () => {
  const project = { id: 'p', name: '', allowedOrigins: ['https://shop.example'], features: [], analytics: false }
  const { client } = relayAt({ projects: [project] })
  expect(await client({ projectId: 'q' }).closed()).toEqual([3000, 'Project not found'])
  expect(await client({ origin: 'https://evil.example' }).closed()).toEqual([3000, 'Unauthorized: origin not allowed'])
  for (const origin of ['https://shop.example', 'http://localhost:3000', undefined])
    expect(await client({ origin }).call('irn_subscribe', { topic })).toHaveProperty('result')
})

test('nobody can take away what waits on a topic that they do not listen on', async () => {
  const { client } = relayAt()
  const one = client()
  await one.call('irn_publish', publication)
  const { createHash } = await import('node:crypto')
  const messageId = createHash('sha256').update('AA==').digest('hex')
  await client().call('irn_batchReceive', { receipts: [{ topic, messageId }] })
  await one.call('irn_batchReceive', { receipts: [{ topic, messageId }] })
  expect(await client().call('irn_fetchMessages', { topic })).toMatchObject({
    result: { messages: [{ message: 'AA==' }] },
  })
})
