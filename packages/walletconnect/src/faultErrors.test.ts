import { type ErrorCode, isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { type FakeClock, fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { CryptoSource } from './crypto/primitives.ts'
import { memoryStorage } from './storage.ts'
import { type MemoryRelay, memoryRelay } from './testing/memoryRelay.ts'
import { type ConnectedPeers, connectedPeers, namespaces, optionalNamespaces, twoPeers } from './testing/peerPair.ts'

// For each fault and operation, the table specifies which data is lost and which error the user sees. If a cell is missing, this
// file does not compile.

const faults = [
  'the relay crashes and restarts',
  'the relay crashes and loses its data',
  'every message arrives twice',
  'messages arrive in the wrong order',
  'messages arrive after their expiry',
  'one of two relay addresses is down',
  'the device’s clock is ahead',
  'the device’s clock is days behind',
  'the page’s storage is cleared',
  'the wallet’s storage is cleared',
] as const
type Fault = (typeof faults)[number]

const crossings = ['a pairing', 'a request', 'a session'] as const
/** The operation that the fault interrupts: a pairing, a request, or a session event from the wallet. */
type Crossing = (typeof crossings)[number]

/** The data that is lost, and the error code and message that the user sees. */
interface Cell {
  readonly lost: string
  readonly reads: 'nothing' | readonly [code: ErrorCode, text: string]
}

// Native crypto runs on other threads, which the fake clock cannot wait for, so only getRandomValues is native here.
const crypto: CryptoSource = { getRandomValues: (array) => globalThis.crypto.getRandomValues(array) }

const whole: Cell = { lost: 'nothing', reads: 'nothing' }
const skewed: Cell = { lost: 'the connection to the wallet', reads: ['relay/session-expired', 'Session Expired'] }
const expired = ['pairing/expired', 'This connection link has expired.'] as const
const unanswered = ['request/timeout', '"wc_sessionRequest" timed out after 300000 ms.'] as const

const table: Readonly<Record<Fault, Readonly<Record<Crossing, Cell>>>> = {
  'the relay crashes and restarts': { 'a pairing': whole, 'a request': whole, 'a session': whole },
  'the relay crashes and loses its data': {
    // Unanswered requests are sent again. Events have no response, so they are not sent again.
    'a pairing': whole,
    'a request': whole,
    'a session': { lost: 'the change', reads: 'nothing' },
  },
  'every message arrives twice': { 'a pairing': whole, 'a request': whole, 'a session': whole },
  'messages arrive in the wrong order': { 'a pairing': whole, 'a request': whole, 'a session': whole },
  'messages arrive after their expiry': {
    'a pairing': { lost: 'the proposal', reads: expired },
    'a request': { lost: 'the request', reads: unanswered },
    'a session': whole,
  },
  'one of two relay addresses is down': { 'a pairing': whole, 'a request': whole, 'a session': whole },
  'the device’s clock is ahead': { 'a pairing': skewed, 'a request': skewed, 'a session': skewed },
  'the device’s clock is days behind': { 'a pairing': skewed, 'a request': skewed, 'a session': skewed },
  'the page’s storage is cleared': {
    // The open page still has its keys in memory.
    'a pairing': whole,
    'a request': { lost: 'the session', reads: ['session/gone', 'The wallet has ended this connection.'] },
    'a session': { lost: 'the session', reads: 'nothing' },
  },
  'the wallet’s storage is cleared': {
    'a pairing': { lost: 'the pairing', reads: expired },
    'a request': { lost: 'the session', reads: unanswered },
    'a session': { lost: 'the session', reads: 'nothing' },
  },
}

interface Harness {
  readonly relay: MemoryRelay
  readonly clock: FakeClock
  readonly readings: (readonly [code: string, text: string])[]
  peers: ConnectedPeers
  /** The pairing URI, until the wallet has scanned it. */
  uri?: string | undefined
  /** The number of requests displayed to the user. */
  prompts: number
}

/** Simulates a fault. `begin` starts it before or during an operation, and `end` ends it while the operation is still pending. */
interface Injection {
  begin(harness: Harness): Promise<void> | void
  end?(harness: Harness): Promise<void> | void
}

const script = (fault: 'twice' | 'reversed'): Injection => ({
  begin: ({ relay }) => relay.script(fault),
  async end({ relay, clock }) {
    // Release the messages that the relay is holding, in the wrong order, until none are left.
    for (let round = 0; round < 12; round++) {
      await clock.pass(50)
      relay.release()
      relay.script(fault)
    }
    relay.script('none')
  },
})

const refusing = (reason: string): Injection => ({
  begin: ({ relay }) => relay.refuse(`JWT validation error: ${reason}`),
})

const restart = async (harness: Harness, who: 'page' | 'wallet'): Promise<void> => {
  const { peers, relay, clock } = harness
  const { pageStorage, walletStorage } = peers
  const emptyStorage = memoryStorage()
  peers[who === 'page' ? 'dapp' : 'wallet'].close()
  const restarted = await twoPeers({
    relay,
    clock,
    crypto,
    pageStorage: who === 'page' ? emptyStorage : memoryStorage(),
    walletStorage: who === 'wallet' ? emptyStorage : memoryStorage(),
  })
  harness.peers =
    who === 'page'
      ? { ...peers, dapp: restarted.dapp, proposer: restarted.proposer, pageStorage: emptyStorage, walletStorage }
      : { ...peers, wallet: restarted.wallet, responder: restarted.responder, walletStorage: emptyStorage, pageStorage }
}

const injections: Readonly<Record<Fault, Readonly<Record<Crossing, Injection>>>> = {
  'the relay crashes and restarts': every({
    begin: ({ relay }) => relay.down(),
    async end({ relay, clock }) {
      await clock.pass(3_000)
      relay.up()
    },
  }),
  'the relay crashes and loses its data': {
    'a pairing': {
      begin({ relay }) {
        relay.down({ forget: true })
        relay.up()
      },
    },
    ...both({
      begin({ relay }) {
        relay.script('held')
      },
      async end({ relay, clock }) {
        await clock.pass(1_000)
        relay.down({ forget: true })
        relay.up()
        relay.script('none')
      },
    }),
  },
  'every message arrives twice': every(script('twice')),
  'messages arrive in the wrong order': every(script('reversed')),
  'messages arrive after their expiry': every({
    begin: ({ relay }) => relay.script('held'),
    async end({ relay, clock }) {
      await clock.pass(301_000)
      relay.release()
    },
  }),
  'one of two relay addresses is down': every({
    begin({ relay }) {
      relay.down()
      relay.up()
    },
  }),
  'the device’s clock is ahead': every(refusing('JWT Token is not yet valid')),
  'the device’s clock is days behind': every(refusing('JWT Token has expired')),
  'the page’s storage is cleared': {
    'a pairing': {
      async begin({ peers: { pageStorage } }) {
        for (const [key] of await pageStorage.list('')) await pageStorage.remove(key)
      },
    },
    ...both({ begin: (harness) => restart(harness, 'page') }),
  },
  'the wallet’s storage is cleared': {
    'a pairing': {
      async begin(harness) {
        // The wallet has scanned the URI and displays the proposal to the user.
        harness.peers.responder.on('proposal', () => {})
        await harness.peers.responder.pair(harness.uri ?? '')
        await harness.clock.pass(100)
        harness.uri = undefined
        await restart(harness, 'wallet')
      },
    },
    ...both({ begin: (harness) => restart(harness, 'wallet') }),
  },
}

function every(injection: Injection): Record<Crossing, Injection> {
  return { 'a pairing': injection, ...both(injection) }
}
function both(injection: Injection): Record<'a request' | 'a session', Injection> {
  return { 'a request': injection, 'a session': injection }
}

/** Returns a function that records the error the user would see. */
const noting =
  ({ readings }: Harness) =>
  (error: unknown): void => {
    if (!isLatchkeyError(error)) throw error
    const { code, message } = error
    if (!readings.some(([known]) => known === code)) readings.push([code, message])
  }

const operations: Readonly<Record<Crossing, (harness: Harness, injection: Injection) => Promise<boolean>>> = {
  async 'a pairing'(harness, { begin, end }) {
    const { proposer } = harness.peers
    const offer = await proposer.propose({ optionalNamespaces })
    // The relay has the proposal, but the wallet has not scanned the URI yet.
    await harness.clock.pass(100)
    harness.uri = offer.uri
    await begin(harness)
    harness.peers.responder.on('proposal', ({ id }) => {
      harness.prompts++
      void harness.peers.responder.approve(id, { namespaces }).catch(() => {})
    })
    if (harness.uri) harness.peers.responder.pair(harness.uri).catch(() => {})
    let session = false
    void offer.settled.then(() => {
      session = true
    }, noting(harness))
    await end?.(harness)
    await harness.clock.pass(10_000)
    if (!session) await harness.clock.pass(240_000)
    return session
  },
  async 'a request'(harness, { begin, end }) {
    const { topic } = harness.peers.dapp.sessions.all()[0] as { topic: string }
    await begin(harness)
    let answered = false
    harness.peers.wallet.sessions.on('request', ({ id, session }) => {
      harness.prompts++
      void harness.peers.responder.respond({ topic: session.topic, id }, { result: '0x5167' }).catch(() => {})
    })
    const request = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x68690a'] }
    void harness.peers.dapp.sessions.request(topic, request).then(() => {
      answered = true
    }, noting(harness))
    await end?.(harness)
    await harness.clock.pass(10_000)
    if (!answered) await harness.clock.pass(300_000)
    return answered
  },
  async 'a session'(harness, { begin, end }) {
    const { topic } = harness.peers.dapp.sessions.all()[0] as { topic: string }
    await begin(harness)
    let events = 0
    harness.peers.dapp.sessions.on('event', () => events++)
    const params = { chainId: 'eip155:1', event: { name: 'chainChanged', data: 1 } }
    void harness.peers.wallet.rpc.notify(topic, 'wc_sessionEvent', params).catch(() => {})
    await end?.(harness)
    await harness.clock.pass(60_000)
    // The event must never arrive twice.
    expect(events).toBeLessThanOrEqual(1)
    return events === 1
  },
}

const wordsOf = ({ reads }: Cell): string => (reads === 'nothing' ? 'nothing' : `"${reads[1]}"`)

for (const fault of faults)
  for (const crossing of crossings) {
    const { lost, reads } = table[fault][crossing]
    test(`${fault} during ${crossing}: ${lost} is lost, and the user sees ${wordsOf({ lost, reads })} [R8.9]`, async () => {
      const relay = memoryRelay()
      const dead = fault === 'one of two relay addresses is down'
      const options = {
        relay: dead ? { ...relay, connect: (url: string) => refusedAt(relay, url) } : relay,
        clock: fakeClock(),
        addresses: ['wss://relay.example', ...(dead ? ['wss://dead.example'] : [])] as [string, ...string[]],
      }
      const harness: Harness = { relay, clock: options.clock, readings: [], peers: undefined as never, prompts: 0 }
      const changed = (_: unknown, error?: unknown): void => {
        if (error) noting(harness)(error)
      }
      harness.peers =
        crossing === 'a pairing'
          ? await twoPeers({ ...options, changed })
          : await connectedPeers({ ...options, changed })
      const arrived = await operations[crossing](harness, injections[fault][crossing])
      expect({ arrived, readings: harness.readings }).toEqual({
        arrived: lost === 'nothing',
        readings: reads === 'nothing' ? [] : [reads],
      })
      // The user is never prompted twice.
      expect(harness.prompts).toBe(lost === 'nothing' && crossing !== 'a session' ? 1 : 0)
    })
  }

/** Connects to the relay, except that the second address refuses connections. */
function refusedAt(relay: MemoryRelay, url: string): ReturnType<MemoryRelay['connect']> {
  if (!url.startsWith('wss://dead.example')) return relay.connect(url)
  const socket: ReturnType<MemoryRelay['connect']> = {
    readyState: 0,
    send: () => {},
    close: () => {},
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
  }
  queueMicrotask(() => socket.onclose?.({ code: 1006, reason: '' }))
  return socket
}
