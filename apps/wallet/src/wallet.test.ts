import { type FakeClock, fakeClock } from '@latchkey/protocol/testing'
import {
  type Client,
  createClient,
  createProposer,
  type KeyValueStorage,
  type Metadata,
  memoryStorage,
  messageOf,
  type ProposedNamespaces,
  type Proposer,
  type Session,
} from '@latchkey/walletconnect'
import { type MemoryRelay, memoryRelay } from '@latchkey/walletconnect/testing'
import type { Verifier } from '@latchkey/walletconnect/verify'
import { verifyMessage } from 'viem'
import { expect, test, vi } from 'vitest'
import { accountsOf } from './keys.ts'
import { type Ask, type Network, NodeError } from './networks.ts'
import type { PendingRequest } from './requestQueue.ts'
import { createWallet, type Wallet } from './wallet.ts'

const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const networks: readonly Network[] = [
  { id: 'eip155:31337', name: 'Bakery Chain', rpcUrl: '', currency },
  { id: 'eip155:31338', name: 'Market Chain', rpcUrl: '', currency },
]
const [first, second] = accountsOf({ from: 'seed', seed: new Uint8Array(32).fill(7) }, [])
if (!first || !second) throw new Error('The seed has fewer than two accounts')

const shop: Metadata = { name: 'Shop', description: '', url: 'https://shop.example', icons: [] }
const optionalNamespaces: ProposedNamespaces = {
  eip155: {
    chains: ['eip155:31337', 'eip155:1'],
    methods: [
      'personal_sign',
      'eth_sendTransaction',
      'wallet_switchEthereumChain',
      'wallet_getCapabilities',
      'eth_sign',
    ],
    events: ['chainChanged', 'accountsChanged'],
  },
}

interface Set {
  readonly relay: MemoryRelay
  readonly clock: FakeClock
  readonly page: Client
  readonly proposer: Proposer
  readonly records: KeyValueStorage
  readonly wallet: Wallet
  /** Starts a second wallet that uses the same storage, as a reload would. */
  again(): Promise<Wallet>
}

async function pageAndWallet({
  ask = async () => null,
  verifier,
}: {
  ask?: Ask
  verifier?: Verifier
} = {}): Promise<Set> {
  const relay = memoryRelay()
  const clock = fakeClock(Date.UTC(2026, 10, 21))
  const [records, sessionRecords] = [memoryStorage(), memoryStorage()]
  const base = { relay: 'wss://relay.example', clock, connect: relay.connect }
  const visit = async (): Promise<Wallet> => {
    const client = await createClient({ ...base, metadata: { ...shop, name: 'Wallet' }, storage: sessionRecords })
    return createWallet({ client, records, accounts: [first!, second!], networks, ask, verifier, clock })
  }
  const page = await createClient({ ...base, metadata: shop, storage: memoryStorage() })
  const proposer = createProposer(page.rpc, page.sessions)
  return { relay, clock, page, proposer, records, wallet: await visit(), again: visit }
}

/** Waits until the first pending request is of the given kind, and resolves to the request. */
function question<Kind extends PendingRequest['kind']>(
  wallet: Wallet,
  kind: Kind,
): Promise<Extract<PendingRequest, { kind: Kind }>> {
  return vi.waitFor(() => {
    const found = wallet.get().pendingRequests[0]
    expect(found?.kind).toBe(kind)
    return found as Extract<PendingRequest, { kind: Kind }>
  })
}

async function connected(
  options: { ask?: Ask; verifier?: Verifier } = {},
): Promise<Set & { readonly session: Session }> {
  const both = await pageAndWallet(options)
  const offer = await both.proposer.propose({ optionalNamespaces })
  await both.wallet.follow({ to: 'pair', uri: offer.uri })
  await both.wallet.approve((await question(both.wallet, 'connect')).key)
  return { ...both, session: await offer.settled }
}

const hello = { chainId: 'eip155:31337', method: 'personal_sign', params: ['0x68656c6c6f', first.evm.address] }

test('grants a page only the requested chains and methods that the wallet supports', async () => {
  const { session, wallet } = await connected()
  expect(session.namespaces).toEqual({
    eip155: {
      chains: ['eip155:31337'],
      methods: ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain', 'wallet_getCapabilities'],
      events: ['chainChanged', 'accountsChanged'],
      accounts: [`eip155:31337:${first.evm.address}`],
    },
  })
  expect(wallet.get().connections).toMatchObject([{ account: first, chain: 'eip155:31337' }])
})

test('rejects a page that uses only unsupported networks and tells the user why', async () => {
  const { wallet, proposer } = await pageAndWallet()
  const offer = await proposer.propose({
    optionalNamespaces: { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } },
  })
  await wallet.follow({ to: 'pair', uri: offer.uri })
  const { key, grant } = await question(wallet, 'connect')
  expect(grant).toMatchObject({
    because: 'The page uses eip155:1, but this wallet supports Bakery Chain, Market Chain.',
  })
  await wallet.reject(key)
  await expect(offer.settled).rejects.toMatchObject({ code: 5100 })
})

test('shows the verify service’s verdict on a connection request', async () => {
  const judged: string[] = []
  const verify: Verifier['verify'] = async (_, url) => {
    judged.push(url)
    return 'invalid'
  }
  const { wallet, proposer } = await pageAndWallet({ verifier: { verify } })
  const offer = await proposer.propose({ optionalNamespaces })
  await wallet.follow({ to: 'pair', uri: offer.uri })
  await vi.waitFor(() => expect(wallet.get().pendingRequests[0]).toMatchObject({ kind: 'connect', verdict: 'invalid' }))
  expect(judged).toEqual([shop.url])
})

test('shows the verify service’s verdict on a method request, including after a reload', async () => {
  const verify: Verifier['verify'] = async (attested) => (attested ? 'scam' : 'invalid')
  const { wallet, page, session, again, records } = await connected({ verifier: { verify } })
  page.sessions.request(session.topic, hello).catch(() => {})
  await vi.waitFor(() => expect(wallet.get().pendingRequests[0]).toMatchObject({ kind: 'request', verdict: 'invalid' }))
  wallet.stop()
  const [[key, stored] = ['', {}]] = await records.list('request:')
  await records.set(key, { ...(stored as object), attested: { attestation: 'a.b.c', messageId: '00' } })
  const later = await again()
  await vi.waitFor(() => expect(later.get().pendingRequests[0]).toMatchObject({ kind: 'request', verdict: 'scam' }))
})

test('identifies a request by its pairing and ID, because two pages can choose the same ID', async () => {
  const { wallet, proposer } = await pageAndWallet()
  const offer = await proposer.propose({ optionalNamespaces })
  await wallet.follow({ to: 'pair', uri: offer.uri })
  const { key, topic } = await question(wallet, 'connect')
  expect(key).toContain(topic)
})

test('rejects requests from a page that already has twenty pending requests', async () => {
  const { wallet, page, session, clock } = await connected()
  const refused: unknown[] = []
  for (let at = 1; at <= 22; at += 1)
    page.sessions.request(session.topic, hello).catch(({ code }: { code: unknown }) => refused.push(code))
  await vi.waitFor(() => expect(refused).toEqual([-32_002, -32_002]))
  expect(wallet.get().pendingRequests).toHaveLength(20)
  // Once its pending requests have expired, the page can send requests again.
  await clock.pass(301_000)
  page.sessions.request(session.topic, hello).catch(() => {})
  await question(wallet, 'request')
})

test('returns a signature for an approved request and an error for a rejected request', async () => {
  const { wallet, page, session } = await connected()
  const signed = page.sessions.request(session.topic, hello)
  await wallet.approve((await question(wallet, 'request')).key)
  const signature = (await signed) as `0x${string}`
  expect(await verifyMessage({ address: first.evm.address, message: 'hello', signature })).toBe(true)

  const refused = page.sessions.request(session.topic, hello)
  refused.catch(() => {})
  await wallet.reject((await question(wallet, 'request')).key)
  await expect(refused).rejects.toMatchObject({ code: 5000 })
  expect(wallet.get().pendingRequests).toEqual([])
})

test('rejects a request for an account that is not shared with the page, without prompting the user', async () => {
  const { wallet, page, session } = await connected()
  const params = ['0x68656c6c6f', second.evm.address]
  await expect(page.sessions.request(session.topic, { ...hello, params })).rejects.toMatchObject({ code: 4100 })
  expect(wallet.get().pendingRequests).toEqual([])
  expect(wallet.get().toast?.text).toContain('no access')
})

test('queues requests, and moves a request to the front when the user follows its link', async () => {
  const { wallet, page, session } = await connected()
  for (const _ of [1, 2]) page.sessions.request(session.topic, hello).catch(() => {})
  const [, behind] = await vi.waitFor(() => {
    expect(wallet.get().pendingRequests).toHaveLength(2)
    return wallet.get().pendingRequests
  })
  if (!behind) throw new Error('The second request was not found')
  await wallet.follow({ to: 'request', topic: session.topic, id: behind.id })
  expect(wallet.get().pendingRequests[0]?.key).toBe(behind.key)
})

test('restores a pending request after a reload and drops it once it expires', async () => {
  const { wallet, page, session, again, clock } = await connected()
  const signed = page.sessions.request(session.topic, hello)
  await question(wallet, 'request')
  wallet.stop()
  const later = await again()
  await later.approve((await question(later, 'request')).key)
  expect(await signed).toMatch(/^0x/)

  page.sessions.request(session.topic, hello).catch(() => {})
  await question(later, 'request')
  await clock.pass(301_000)
  expect(later.get().pendingRequests).toEqual([])
  expect(later.get().toast?.text).toBe('The request from shop.example has expired.')
})

test('delivers the hash of a sent transaction after a reload, without sending the transaction again', async () => {
  const sent: unknown[] = []
  const ask: Ask = async (_, method) => {
    if (method === 'eth_sendRawTransaction') sent.push(method)
    return { eth_sendRawTransaction: '0xhash', eth_chainId: '0x7a69', eth_getTransactionCount: '0x1' }[method] ?? '0x1'
  }
  const { wallet, page, session, again, relay } = await connected({ ask })
  const [from, fees] = [first.evm.address, { gas: '0x5208', maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' }]
  const params = [{ from, to: second.evm.address, value: '0x1', ...fees }]
  const hash = page.sessions.request(session.topic, { ...hello, method: 'eth_sendTransaction', params })
  const { key } = await question(wallet, 'request')
  relay.mute(true)
  void wallet.approve(key)
  await vi.waitFor(() => expect(wallet.get().pendingRequests[0]).toMatchObject({ done: { result: '0xhash' } }))
  wallet.stop()
  relay.mute(false)
  await again()
  expect(await hash).toBe('0xhash')
  expect(sent).toHaveLength(1)
})

test('keeps a transaction that the node rejected, and sends the page the node’s error if the user rejects it too', async () => {
  const ask: Ask = async () => {
    throw new NodeError(-32_003, 'insufficient funds')
  }
  const { wallet, page, session } = await connected({ ask })
  const params = [{ from: first.evm.address, to: second.evm.address, value: '0x1' }]
  const hash = page.sessions.request(session.topic, { ...hello, method: 'eth_sendTransaction', params })
  hash.catch(() => {})
  const { key } = await question(wallet, 'request')
  await wallet.approve(key)
  expect(wallet.get().pendingRequests[0]?.state).toMatchObject({
    at: 'failed',
    because: 'The network rejected it: insufficient funds',
  })
  await wallet.reject(key)
  await expect(hash).rejects.toMatchObject({ code: -32_003, message: 'insufficient funds' })
})

test('notifies the page of account and network changes', async () => {
  const { wallet, page, session } = await connected()
  const events: unknown[] = []
  page.sessions.on('event', ({ name, data }) => events.push([name, data]))
  await wallet.showAccount(session.topic, second)
  await wallet.moveTo(session.topic, networks[1]!)
  await vi.waitFor(() => expect(events).toHaveLength(2))
  expect(events).toEqual([
    ['accountsChanged', [second.evm.address]],
    ['chainChanged', 31338],
  ])
  expect(page.sessions.get(session.topic)?.namespaces.eip155?.accounts).toEqual([
    `eip155:31337:${second.evm.address}`,
    `eip155:31338:${second.evm.address}`,
  ])
  expect(wallet.get().connections).toMatchObject([{ account: second, chain: 'eip155:31338', confirming: false }])
})

test('removes the connection and its pending requests when the page disconnects', async () => {
  const { wallet, page, session } = await connected()
  page.sessions.request(session.topic, hello).catch(() => {})
  await question(wallet, 'request')
  await page.sessions.disconnect(session.topic)
  await vi.waitFor(() => expect(wallet.get().connections).toEqual([]))
  expect(wallet.get().pendingRequests).toEqual([])
  expect(wallet.get().toast?.text).toBe('shop.example has disconnected.')
})

test.each([
  ['a link that is not a pairing URI', 'https://example.com', /This is not a connection link/],
  [
    'an expired link',
    `wc:${'a'.repeat(64)}@2?relay-protocol=irn&symKey=${'b'.repeat(64)}&expiryTimestamp=1`,
    /expired/,
  ],
])('reports an error when pairing with %s', async (_, uri, sentence) => {
  const { wallet } = await pageAndWallet()
  await wallet.follow({ to: 'pair', uri })
  expect(wallet.get().pairing).toMatchObject({ at: 'failed', because: expect.stringMatching(sentence) })
})

test('a pairing fails if the page never sends a request, and an expired request is dropped', async () => {
  const { wallet, proposer, clock } = await pageAndWallet()
  const uri = `wc:${'a'.repeat(64)}@2?relay-protocol=irn&symKey=${'b'.repeat(64)}`
  await wallet.follow({ to: 'pair', uri })
  await clock.pass(20_000)
  expect(wallet.get().pairing).toMatchObject({ at: 'failed' })

  const offer = await proposer.propose({ optionalNamespaces })
  await wallet.follow({ to: 'pair', uri: offer.uri })
  await question(wallet, 'connect')
  await clock.pass(300_000)
  expect(wallet.get().pendingRequests).toEqual([])
})

const payload = {
  chains: ['eip155:31338', 'eip155:31337', 'eip155:1'],
  domain: 'shop.example',
  aud: 'https://shop.example/login',
  nonce: '0123456789abcdef',
  iat: '2026-11-21T12:00:00.000Z',
}
const methods = ['personal_sign', 'eth_sign']

test('signs the user in with a single request and grants only supported methods [R4.12]', async () => {
  const { wallet, proposer } = await pageAndWallet()
  const offer = await proposer.authenticate({ optionalNamespaces, payload, methods })
  await wallet.follow({ to: 'pair', uri: offer.uri })
  const { key, texts } = await question(wallet, 'signIn')
  expect(texts.mismatch).toBeUndefined()
  await vi.waitFor(() => expect(wallet.get().pendingRequests).toHaveLength(1))
  await wallet.approve(key)
  const { cacaos, session } = await offer.settled
  expect(cacaos.map(({ p }) => p.iss)).toEqual(
    ['eip155:31337', 'eip155:31338'].map((chain) => `did:pkh:${chain}:${first.evm.address}`),
  )
  for (const { p, s } of cacaos) {
    const message = messageOf(p, p.iss)
    expect(await verifyMessage({ address: first.evm.address, message, signature: s.s as `0x${string}` })).toBe(true)
  }
  expect(session?.namespaces.eip155?.methods).toEqual(['personal_sign'])
})

test('warns if the message signs in to a site other than the requesting page', async () => {
  const { wallet, proposer } = await pageAndWallet()
  const offer = await proposer.authenticate({
    optionalNamespaces,
    payload: { ...payload, domain: 'bank.example' },
    methods,
  })
  await wallet.follow({ to: 'pair', uri: offer.uri })
  const { key, texts } = await question(wallet, 'signIn')
  expect(texts.mismatch).toEqual({ claims: 'bank.example', page: 'shop.example' })
  await wallet.reject(key)
  await expect(offer.settled).rejects.toMatchObject({ code: 5000 })
})

test('rejects a sign-in that requests only unsupported networks and shows the reason', async () => {
  const { wallet, proposer } = await pageAndWallet()
  const offer = await proposer.authenticate({
    optionalNamespaces,
    payload: { ...payload, chains: ['eip155:1'] },
    methods,
  })
  await wallet.follow({ to: 'pair', uri: offer.uri })
  await expect(offer.settled).rejects.toMatchObject({ code: 5100 })
  expect(wallet.get().pairing).toMatchObject({ at: 'failed', because: expect.stringContaining('does not support') })
})
