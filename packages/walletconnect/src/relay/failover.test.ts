import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { CryptoSource } from '../crypto/primitives.ts'
import { memoryRelay } from '../testing/memoryRelay.ts'
import { connectedPeers, namespaces, next, optionalNamespaces, twoPeers } from '../testing/peerPair.ts'
import { createTransport, type Socket, type Transport } from './relayTransport.ts'

// These tests use two addresses of the same relay network, one or both of which are unreachable.

// Native crypto runs on other threads, which the fake clock cannot wait for, so only getRandomValues is native here.
const crypto: CryptoSource = { getRandomValues: (array) => globalThis.crypto.getRandomValues(array) }

const [first, second] = ['wss://one.example', 'wss://two.example'] as const
const addresses = [first, second] as const
const sign = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x68690a'] }

test('if one address is down from the start, the client pairs over the other address, which client.relay then returns', async () => {
  const relay = memoryRelay()
  relay.down({ address: first })
  const { dapp, proposer, responder, clock } = await twoPeers({ crypto, relay, addresses })
  expect(dapp.relay).toBeUndefined()
  responder.on('proposal', ({ id }) => void responder.approve(id, { namespaces }))
  const offering = proposer.propose({ optionalNamespaces })
  await clock.pass(1_000)
  const offer = await offering
  const pairing = responder.pair(offer.uri)
  await clock.pass(1_000)
  await pairing
  expect((await offer.settled).namespaces).toEqual(namespaces)
  expect([dapp.relay, dapp.state]).toEqual([second, 'open'])
})

test('if an address fails between a proposal and its approval, the approval arrives over the other address', async () => {
  const relay = memoryRelay()
  const { dapp, wallet, proposer, responder, clock } = await twoPeers({ crypto, relay, addresses })
  const offer = await proposer.propose({ optionalNamespaces })
  const proposal = next<{ id: number }>((listener) => responder.on('proposal', listener))
  await responder.pair(offer.uri)
  const { id } = await proposal
  expect([dapp.relay, wallet.relay]).toEqual([first, first])
  relay.down({ address: first })
  const approved = responder.approve(id, { namespaces })
  await clock.pass(1_000)
  expect((await approved).topic).toBe((await offer.settled).topic)
  expect([dapp.relay, wallet.relay]).toEqual([second, second])
})

test('if an address fails during a request, the wallet receives the request only once, and the response arrives over the other address', async () => {
  const relay = memoryRelay()
  const { dapp, wallet, responder, clock, session } = await connectedPeers({ crypto, relay, addresses })
  const received: number[] = []
  wallet.sessions.on('request', ({ id }) => received.push(id))
  const request = dapp.sessions.request(session.topic, sign)
  await clock.pass(100)
  relay.down({ address: first })
  const answered = responder.respond({ topic: session.topic, id: received[0] as number }, { result: '0x5167' })
  await clock.pass(1_000)
  await answered
  expect(await request).toBe('0x5167')
  expect(received).toHaveLength(1)
  expect(dapp.relay).toBe(second)
})

test('a recovered address is preferred for the next connection, but a working connection is kept', async () => {
  const relay = memoryRelay()
  const { dapp, clock } = await connectedPeers({ crypto, relay, addresses })
  relay.down({ address: first })
  await clock.pass(1_000)
  expect(dapp.relay).toBe(second)
  relay.up(first)
  const tried = relay.urls.length
  await clock.pass(600_000)
  expect(dapp.relay).toBe(second)
  expect(relay.urls).toHaveLength(tried)
  relay.down({ address: second })
  await clock.pass(1_000)
  expect(dapp.relay).toBe(first)
})

test('if both addresses are down, a call fails with an error that includes the address, and messages arrive once an address is reachable again', async () => {
  const relay = memoryRelay()
  const { dapp, wallet, responder, clock, session } = await connectedPeers({ crypto, relay, addresses })
  wallet.sessions.on('request', ({ id, session: { topic } }) => {
    void responder.respond({ topic, id }, { result: '0x5167' })
  })
  for (const address of addresses) relay.down({ address })
  const ping = dapp.rpc.relay.publish({ topic: session.topic, message: 'AA==', ttl: 300, tag: 1114 })
  const failed = expect(ping).rejects.toMatchObject({
    code: 'relay/unreachable',
    message: expect.stringMatching(/^The relay at (one|two)\.example cannot be reached\.$/),
  })
  await clock.pass(60_000)
  await failed
  expect([dapp.state, dapp.relay]).toEqual(['connecting', undefined])
  relay.up(second)
  await clock.pass(15_000)
  expect([dapp.state, dapp.relay]).toEqual(['open', second])
  const request = dapp.sessions.request(session.topic, sign)
  await clock.pass(1_000)
  expect(await request).toBe('0x5167')
})

// --- Connections per address -----------------------------------------------------------------------------------------

interface Line {
  readonly transport: Transport
  readonly clock: ReturnType<typeof fakeClock>
  /** Returns the sockets that were opened to an address, each with the time at which it was opened. */
  opened(address: string): readonly { readonly socket: Socket; readonly at: number }[]
}

/** Creates a transport. `behave` simulates the server, and is called with each new socket and its address. */
function lineTo(
  relayAddresses: readonly [string, ...string[]],
  behave: (address: string, socket: Socket) => void,
): Line {
  const clock = fakeClock()
  const sockets: { address: string; socket: Socket; at: number }[] = []
  let ids = 0
  const transport = createTransport({
    addresses: relayAddresses,
    urlFor: async (address) => address,
    connect(address) {
      const socket: Socket = {
        readyState: 0,
        send: () => {},
        close: () => {},
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
      }
      sockets.push({ address, socket, at: clock.now() })
      queueMicrotask(() => behave(address, socket))
      return socket
    },
    clock,
    nextId: () => String(ids++),
    onOpen: () => {},
    onRequest: async () => true,
  })
  return { transport, clock, opened: (address) => sockets.filter((entry) => entry.address === address) }
}

const opens = (socket: Socket): void => socket.onopen?.(undefined as never)
const breaks = (socket: Socket, code = 1006): void => socket.onclose?.({ code, reason: '' })

test('an address whose connections close right after they open is retried at increasing intervals while the other address is used', async () => {
  const { transport, clock, opened } = lineTo(addresses, (address, socket) => {
    opens(socket)
    if (address === first) breaks(socket)
    else socket.onmessage?.({ data: '{"id":1,"jsonrpc":"2.0","result":true}' })
  })
  transport.open()
  for (let minute = 0; minute < 10; minute++) {
    await clock.pass(30_000)
    breaks(opened(second).at(-1)?.socket as Socket)
    await clock.pass(500)
    expect(transport.address).toBe(second)
  }
  const times = opened(first).map(({ at }) => at)
  // The second address fails ten times, but the first address is tried only after its cooldown.
  expect(times.length).toBeLessThan(10)
})

test('the connection timeout is shorter if another address is available', async () => {
  const silent = (): void => {}
  const both = lineTo(addresses, (address, socket) => (address === first ? silent() : opens(socket)))
  both.transport.open()
  await both.clock.pass(5_200)
  expect(both.transport.address).toBe(second)

  const alone = lineTo([first], silent)
  alone.transport.open()
  await alone.clock.pass(14_000)
  expect(alone.opened(first)).toHaveLength(1)
})

test('an address that rate-limits the client is not used for a minute, and the other address is used immediately', async () => {
  const { transport, clock, opened } = lineTo(addresses, (address, socket) => {
    opens(socket)
    if (address === first) breaks(socket, 3001)
  })
  transport.open()
  await clock.pass(200)
  expect(transport.address).toBe(second)
  breaks(opened(second)[0]?.socket as Socket)
  await clock.pass(50_000)
  expect(opened(first)).toHaveLength(1)
})

test.each([
  [1_000, 20_000],
  [4_000, 20_000],
  [6_000, 25_000],
])(
  'connections are checked every 5 s, so a call that is sent at %i ms and unanswered for 15 s causes a reconnect at %i ms [R9.3] [R9.14]',
  async (sentAt, reopenedAt) => {
    const { transport, clock, opened } = lineTo([first], (_, socket) => opens(socket))
    transport.open()
    await clock.pass(sentAt)
    transport.call('irn_publish', {}).catch(() => {})
    await clock.pass(reopenedAt - sentAt - 1)
    expect(opened(first)).toHaveLength(1)
    await clock.pass(1)
    await clock.pass(500)
    expect(opened(first)).toHaveLength(2)
  },
)
