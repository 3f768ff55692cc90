import { toHex } from '@latchkey/protocol/bytes'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { memoryStorage } from './storage.ts'
import { type ConnectedPeers, connectedPeers, twoPeers } from './testing/peerPair.ts'

// These tests simulate a malicious relay and a malicious peer.

/** Returns a reproducible random number generator (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const junk: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  'wc_',
  '\u0000',
  '__proto__',
  [],
  [[]],
  {},
  { toString: 'x' },
  { eip155: null },
  { eip155: { accounts: [], methods: [], events: [] } },
  'x'.repeat(5_000),
  { code: 'a', message: 7 },
]

/** Returns a copy of `value` with a random change. */
function mutated(value: unknown, chance: () => number): unknown {
  const some = (): unknown => junk[Math.floor(chance() * junk.length)]
  if (typeof value !== 'object' || value === null || chance() < 0.15) return some()
  if (Array.isArray(value))
    return chance() < 0.3 ? [] : value.map((item) => (chance() < 0.5 ? mutated(item, chance) : item))
  const entries = Object.entries(value)
  const at = Math.floor(chance() * entries.length)
  return Object.fromEntries(
    entries.flatMap(([key, item], index) =>
      index !== at ? [[key, item]] : chance() < 0.2 ? [] : [[key, mutated(item, chance)]],
    ),
  )
}

/** Returns a copy of `text` in which a character is replaced, or a part is removed, moved or repeated. */
function corrupted(text: string, chance: () => number): string {
  const at = Math.floor(chance() * text.length)
  const kind = chance()
  if (kind < 0.4) return text.slice(0, at) + String.fromCharCode(Math.floor(chance() * 256)) + text.slice(at + 1)
  if (kind < 0.7) return text.slice(0, at)
  return kind < 0.85 ? text.slice(at) + text.slice(0, at) : `${text}${text.slice(at)}`
}

const request = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x68690a'] }

/** Returns the sessions and stored records of both peers, which hostile messages must not change. */
async function known({ dapp, wallet, pageStorage, walletStorage }: ConnectedPeers): Promise<string> {
  const stored = await Promise.all(
    [pageStorage, walletStorage].flatMap((records) => [records.list('session:'), records.list('key:')]),
  )
  const plain = JSON.stringify(stored, (_, value) => (value instanceof Uint8Array ? toHex(value) : value))
  return JSON.stringify([dapp.sessions.all(), wallet.sessions.all(), plain])
}

const seed = Math.floor(Math.random() * 2 ** 31)

test(`12,000 messages from a malicious relay have no effect, and valid messages in between arrive (seed ${seed})`, async () => {
  const chance = chanceOf(seed)
  const both = await connectedPeers()
  const { relay, session, dapp, wallet, responder } = both
  let requests = 0
  wallet.sessions.on('request', ({ id, session: { topic } }) => {
    requests++
    void responder.respond({ topic, id }, { result: '0x5167' })
  })
  for (const { sessions } of [dapp, wallet])
    for (const name of ['updated', 'extended', 'ended', 'event'] as const)
      sessions.on(name, () => expect.unreachable(`${name} by a stranger`))
  await dapp.sessions.request(session.topic, request)
  const before = await known(both)
  const seen = relay.calls.flatMap(({ method, params }) => (method === 'irn_publish' ? [String(params.message)] : []))
  const frame = (): string => {
    const id = Math.floor(chance() * 2 ** 40)
    const data = {
      topic: session.topic,
      message: corrupted(seen[Math.floor(chance() * seen.length)] ?? '', chance),
      tag: 1108,
      publishedAt: 0,
    }
    const body = { id, jsonrpc: '2.0', method: 'irn_subscription', params: { id: 's', data } }
    const kind = chance()
    return kind < 0.5
      ? JSON.stringify(body)
      : kind < 0.8
        ? (JSON.stringify(mutated(body, chance)) ?? '')
        : corrupted(JSON.stringify(body), chance)
  }
  let honest = 1
  for (let sent = 0; sent < 12_000; sent++) {
    relay.sendText(frame())
    if (sent % 400 === 0) {
      expect(await dapp.sessions.request(session.topic, request)).toBe('0x5167')
      honest++
    }
  }
  await both.clock.pass(0)
  expect(requests).toBe(honest)
  expect(await known(both)).toBe(before)
}, 120_000)

test(`8,000 correctly encrypted messages from a malicious peer have no effect, and valid messages in between are processed (seed ${seed})`, async () => {
  const chance = chanceOf(seed + 1)
  const both = await connectedPeers()
  const { relay, clock, session, dapp, wallet, responder, walletStorage } = both
  // The rogue client has the wallet's keys, but sends arbitrary messages.
  const rogue = await twoPeers({ relay, clock: fakeClock(9_000_000), pageStorage: memoryStorage(), walletStorage })
  wallet.sessions.on(
    'request',
    ({ id, session: { topic } }) => void responder.respond({ topic, id }, { result: '0x5167' }),
  )
  const { topic } = session
  // The rogue client sends messages without receiving any.
  await rogue.wallet.rpc.relay.unsubscribe(topic)
  const before = JSON.stringify(dapp.sessions.all())
  const methods = [
    'wc_sessionUpdate',
    'wc_sessionExtend',
    'wc_sessionEvent',
    'wc_sessionSettle',
    'wc_sessionPropose',
  ] as const
  const valid = {
    wc_sessionUpdate: { namespaces: { eip155: { ...session.namespaces.eip155, accounts: ['no account'] } } },
    wc_sessionExtend: { expiry: 1 },
    wc_sessionEvent: { chainId: 'eip155:1', event: { name: 'unheard', data: 1 } },
    wc_sessionSettle: { namespaces: session.namespaces, controller: session.self, expiry: 9 },
    wc_sessionPropose: { proposer: session.self, requiredNamespaces: {} },
  }
  for (let sent = 0; sent < 8_000; sent++) {
    const method = methods[sent % methods.length] as (typeof methods)[number]
    // A wallet is allowed to send valid updates and extensions, so only invalid ones are sent.
    const params = method === 'wc_sessionExtend' ? { expiry: junk[sent % 3] ?? -1 } : mutated(valid[method], chance)
    void rogue.wallet.rpc.notify(topic, method, params).catch(() => {})
    if (sent % 400 === 0) expect(await dapp.sessions.request(topic, request)).toBe('0x5167')
  }
  await clock.pass(0)
  expect(JSON.stringify(dapp.sessions.all())).toBe(before)
  expect(await dapp.sessions.request(topic, request)).toBe('0x5167')
}, 120_000)
