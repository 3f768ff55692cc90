import type { Adapter, BridgeHost, Connector, Network, PairingOffer } from '@latchkey/core/adapter'
import { type FakeClock, fakeClock } from '@latchkey/protocol/testing'
import {
  type Client,
  createClient,
  createResponder,
  type Granted,
  memoryRecords,
  type Records,
  type Responder,
  walletSessions,
} from '@latchkey/walletconnect'
import { type MemoryRelay, memoryRelay } from '@latchkey/walletconnect/testing'
import { expect, test } from 'vitest'
import type { EvmSession } from '../evm/session.ts'
import { walletConnect } from './walletconnect.ts'

const ada = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const never = new AbortController().signal

const granted = (chains: readonly string[], addresses: readonly string[], methods: readonly string[]): Granted => ({
  eip155: {
    chains,
    methods,
    events: ['chainChanged', 'accountsChanged'],
    accounts: chains.flatMap((chain) => addresses.map((address) => `${chain}:${address}`)),
  },
})
const usual = granted(['eip155:1', 'eip155:137'], [ada, bob], ['personal_sign', 'eth_sendTransaction'])

function network(id: number): Network<'eip155'> {
  return {
    id,
    name: `Chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    chainNamespace: 'eip155',
    caipNetworkId: `eip155:${id}`,
  }
}

interface Bench {
  readonly evm: Connector
  readonly clock: FakeClock
  readonly relay: MemoryRelay
  readonly wallet: Client
  readonly responder: Responder
  readonly offers: (PairingOffer | undefined)[]
  readonly records: Records
  detach(): void
}

/** A page with the bridge, and a wallet that says yes to what `answers` does not. */
async function bench({
  relay = memoryRelay(),
  clock = fakeClock(),
  records = memoryRecords(),
  answers = usual,
}: {
  relay?: MemoryRelay
  clock?: FakeClock
  records?: Records
  answers?: Granted | 'no' | 'silence'
} = {}): Promise<Bench> {
  const silence = (): undefined => undefined
  const adapter = { namespace: 'eip155', networks: [network(1), network(137)], discover: silence } as Adapter
  const metadata = { name: 'Pocket', description: '', url: 'https://pocket.example', icons: [] }
  const at = { relay: 'wss://relay.example', connect: relay.connect, clock }
  const wallet = await createClient({ ...at, metadata, records: memoryRecords() })
  const responder = createResponder(wallet.peer, wallet.sessions)
  responder.on('proposal', ({ id }) => {
    if (answers === 'no') void responder.reject(id)
    else if (answers !== 'silence') void responder.approve(id, { namespaces: answers })
  })
  const offers: (PairingOffer | undefined)[] = []
  const bridge = walletConnect({
    relay: at.relay,
    connect: relay.connect,
    records,
    onOffer(offer) {
      offers.push(offer)
      if (offer) void responder.pair(offer.uri)
    },
  })
  const detach = bridge.attach?.({
    clock,
    log: { debug: silence, info: silence, warn: silence, error: silence, entries: () => [] },
    dapp: () => ({
      metadata: { name: 'Shop', description: '', url: 'https://shop.example', icons: [] },
      projectId: '',
      sdkType: 'latchkey',
      sdkVersion: 'react-0.0.0',
    }),
  } as unknown as BridgeHost)
  const evm = bridge.connectorFor(adapter)
  if (!evm || !detach) throw new Error('The bridge serves eip155')
  return { evm, clock, relay, wallet, responder, offers, records, detach }
}

const connect = async (page: Bench): Promise<EvmSession> => (await page.evm.connect({ signal: never })) as EvmSession

test('without a relay there is no connector, and with one nothing is asked before somebody connects', async () => {
  const adapter = { namespace: 'eip155', networks: [] } as unknown as Adapter
  expect(walletConnect().connectorFor(adapter)).toBeUndefined()
  expect(walletConnect({ projectId: 'p' }).connectorFor(adapter)).toMatchObject({
    id: 'walletConnect',
    type: 'WALLET_CONNECT',
  })
  const { relay } = await bench()
  expect(relay.urls).toEqual([])
})

test('a visitor connects by a pairing, signs in the wallet and leaves; everything was optional [R1.1, R4.13]', async () => {
  const page = await bench()
  let proposal: unknown
  page.responder.on('proposal', ({ proposal: asked }) => {
    proposal = asked
  })
  page.wallet.sessions.on('request', ({ id, session: { topic } }) => {
    void page.responder.respond({ topic, id }, { result: '0x5167' })
  })
  const session = await connect(page)
  expect(proposal).toMatchObject({
    requiredNamespaces: {},
    optionalNamespaces: { eip155: { chains: ['eip155:1', 'eip155:137'] } },
  })
  expect(page.offers).toMatchObject([{ expiresAt: page.clock.now() + 240_000 }, undefined])
  expect(session.accounts).toEqual([`eip155:1:${ada}`, `eip155:1:${bob}`])
  expect(await session.request({ method: 'personal_sign', params: ['0x68690a', ada] })).toBe('0x5167')
  await session.end()
  expect(page.wallet.sessions.all()).toEqual([])
})

test('a wallet that says no is heard as a visitor who said no', async () => {
  const page = await bench({ answers: 'no' })
  await expect(connect(page)).rejects.toMatchObject({ code: 'user/rejected' })
  expect(page.offers.at(-1)).toBeUndefined()
})

test('a request that is refused has the code of EIP-1193', async () => {
  const page = await bench()
  page.wallet.sessions.on('request', ({ id, session: { topic } }) => {
    void page.responder.respond({ topic, id }, { error: { code: 5000, message: 'User rejected.' } })
  })
  const session = await connect(page)
  await expect(session.request({ method: 'personal_sign', params: [] })).rejects.toMatchObject({ code: 4001 })
  await expect(session.request({ method: 'eth_sign', params: [] })).rejects.toMatchObject({ code: 4200 })
})

test('switching to a network of the session asks nobody; to another one the wallet must offer it', async () => {
  const page = await bench()
  const session = await connect(page)
  const calls = page.relay.calls.length
  const heard: unknown[] = []
  session.on('chain', (chain) => heard.push(chain))
  await session.can.switchChain?.(network(137))
  expect([session.chain, heard, page.relay.calls.length]).toEqual(['eip155:137', ['eip155:137'], calls])
  await expect(session.can.switchChain?.(network(5))).rejects.toMatchObject({ code: 'network/unsupported' })
})

test('what the wallet does shows in the page: chain, accounts, and its end', async () => {
  const page = await bench()
  const session = await connect(page)
  const heard: unknown[] = []
  session.on('chain', (chain) => heard.push(chain))
  session.on('accounts', (accounts) => heard.push(accounts.length))
  session.on('end', () => heard.push('end'))
  await page.clock.pass(10)
  const [{ topic } = { topic: '' }] = page.wallet.sessions.all()
  const { emit, update } = walletSessions(page.wallet.peer, page.wallet.sessions)
  // The chain that the event itself names counts, not the one that it is sent for.
  await emit(topic, 'eip155:1', { name: 'chainChanged', data: 137 })
  await page.clock.pass(10)
  await update(topic, granted(['eip155:137'], [bob], ['personal_sign']))
  await page.clock.pass(10)
  await page.wallet.sessions.end(topic)
  await page.clock.pass(10)
  expect(heard).toEqual(['eip155:137', 1, 'end'])
})

test('after a reload the session is there once the wallet has answered, and nobody is asked anything', async () => {
  const page = await bench()
  await connect(page)
  page.detach()
  const again = await bench({ relay: page.relay, clock: page.clock, records: page.records, answers: 'silence' })
  const session = await again.evm.connect({ silent: true, signal: never })
  expect(session.accounts).toEqual([`eip155:1:${ada}`, `eip155:1:${bob}`])
  expect(again.offers).toEqual([])
})

test('after a reload with the wallet asleep the session is there, and said to be silent', async () => {
  const page = await bench()
  await connect(page)
  page.detach()
  page.wallet.close()
  const again = await bench({ relay: page.relay, clock: page.clock, records: page.records, answers: 'silence' })
  const connecting = again.evm.connect({ silent: true, signal: never })
  await again.clock.pass(4_000)
  const session = await connecting
  const health = new Promise((resolve) => session.on('health', resolve))
  await again.clock.pass(30_000)
  expect(await health).toBe('silent')
})

test('who never connected is not asked about', async () => {
  const page = await bench()
  await expect(page.evm.connect({ silent: true, signal: never })).rejects.toMatchObject({
    code: 'wallet/not-authorized',
  })
  expect(page.relay.urls).toEqual([])
})

test('taking a pairing back ends it', async () => {
  const page = await bench({ answers: 'silence' })
  const stop = new AbortController()
  const connecting = page.evm.connect({ signal: stop.signal })
  connecting.catch(() => {})
  await page.clock.pass(10)
  stop.abort()
  await expect(connecting).rejects.toMatchObject({ code: 'request/aborted' })
  await page.clock.pass(10)
  expect(page.offers.at(-1)).toBeUndefined()
})
