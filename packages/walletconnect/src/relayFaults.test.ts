import { describe, expect, test, vi } from 'vitest'
import { createClient } from './client.ts'
import type { RelayState } from './relay/relayTransport.ts'
import { walletSessions } from './sign/walletSessionMethods.ts'
import { memoryStorage } from './storage.ts'
import { cryptoEngines } from './testing/cryptoEngines.ts'
import { memoryRelay } from './testing/memoryRelay.ts'
import {
  type ConnectedPeers,
  connectedPeers as connectedOn,
  namespaces,
  next,
  optionalNamespaces,
  page,
  twoPeers as peersOn,
  type TwoPeersOptions,
} from './testing/peerPair.ts'

// The tests run with native primitives, and with the fallbacks for missing algorithms.
describe.each(cryptoEngines())('$name', ({ source: crypto }) => {
  const twoPeers = (options: TwoPeersOptions = {}) => peersOn({ crypto, ...options })
  const connectedPeers = (options: TwoPeersOptions = {}) => connectedOn({ crypto, ...options })

  // Each test covers one delivery fault.

  const sign = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x68690a'] }

  /** Responds to every request and counts the requests. */
  function answering({ wallet, responder }: ConnectedPeers): { count: number } {
    const seen = { count: 0 }
    wallet.sessions.on('request', ({ id, session: { topic } }) => {
      seen.count++
      void responder.respond({ topic, id }, { result: '0x5167' })
    })
    return seen
  }

  test('nothing is lost if a relay outage occurs before the wallet scans the QR code', async () => {
    const { proposer, responder, relay, clock } = await twoPeers()
    const offer = await proposer.propose({ optionalNamespaces })
    relay.down()
    await clock.pass(2_000)
    relay.up()
    responder.on('proposal', ({ id }) => void responder.approve(id, { namespaces }))
    const pairing = responder.pair(offer.uri)
    await clock.pass(10_000)
    await pairing
    expect((await offer.settled).namespaces).toEqual(namespaces)
  })

  test('nothing is lost if a relay outage occurs between the proposal and the approval', async () => {
    const { proposer, responder, relay, clock } = await twoPeers()
    const offer = await proposer.propose({ optionalNamespaces })
    const request = next<{ id: number }>((listener) => responder.on('proposal', listener))
    await responder.pair(offer.uri)
    const { id } = await request
    relay.down()
    const approved = responder.approve(id, { namespaces })
    await clock.pass(2_000)
    relay.up()
    await clock.pass(10_000)
    expect((await approved).topic).toBe((await offer.settled).topic)
  })

  test('after a relay outage during a request, the wallet receives the request once and the page receives the response', async () => {
    const both = await connectedPeers()
    const { dapp, relay, clock, session } = both
    const seen = answering(both)
    relay.down()
    const request = dapp.sessions.request(session.topic, sign)
    await clock.pass(3_000)
    relay.up()
    await clock.pass(10_000)
    expect(await request).toBe('0x5167')
    expect(seen.count).toBe(1)
  })

  test('a request times out if the relay loses it while the wallet is offline', async () => {
    const both = await connectedPeers()
    const { dapp, wallet, relay, clock, session } = both
    const seen = answering(both)
    wallet.rpc.relay.close()
    const lost = dapp.sessions.request(session.topic, sign)
    lost.catch(() => {})
    await clock.pass(1_000)
    relay.down({ forget: true })
    relay.up()
    await clock.pass(300_000)
    await expect(lost).rejects.toMatchObject({ code: 'request/timeout' })
    await wallet.rpc.relay.subscribe([session.topic])
    wallet.reconnectNow()
    expect(seen.count).toBe(0)
  })

  test('a dead connection that appears open is replaced, and the request succeeds', async () => {
    const both = await connectedPeers()
    const { dapp, relay, clock, session } = both
    const seen = answering(both)
    relay.mute(true)
    const request = dapp.sessions.request(session.topic, sign)
    await clock.pass(14_000)
    relay.mute(false)
    await clock.pass(60_000)
    expect(await request).toBe('0x5167')
    expect(seen.count).toBe(1)
  })

  test('duplicate messages are handled once', async () => {
    const both = await connectedPeers()
    const { dapp, relay, session } = both
    const seen = answering(both)
    relay.script('twice')
    expect(await dapp.sessions.request(session.topic, sign)).toBe('0x5167')
    expect(seen.count).toBe(1)
  })

  test('every request receives its own response, even if messages are reordered', async () => {
    const both = await connectedPeers()
    const { dapp, wallet, responder, relay, clock, session } = both
    wallet.sessions.on('request', ({ id, request, session: { topic } }) => {
      void responder.respond({ topic, id }, { result: (request.request.params as string[])[0] })
    })
    relay.script('reversed')
    const all = ['0x1', '0x2', '0x3'].map((text) => dapp.sessions.request(session.topic, { ...sign, params: [text] }))
    await clock.pass(100)
    relay.release()
    expect(await Promise.all(all)).toEqual(['0x1', '0x2', '0x3'])
  })

  test('a delayed update does not undo a later update', async () => {
    const { dapp, wallet, relay, clock, session } = await connectedPeers()
    const { update } = walletSessions(wallet.rpc, wallet.sessions)
    const accountsOf = (address: string) => ({ eip155: { ...namespaces.eip155, accounts: [`eip155:1:${address}`] } })
    const [older, newer] = [accountsOf(`0x${'1'.repeat(40)}`), accountsOf(`0x${'2'.repeat(40)}`)]
    relay.script('reversed')
    const waitForHeld = (count: number) =>
      vi.waitFor(() => expect(relay.calls.filter(({ params }) => params.tag === 1104)).toHaveLength(count))
    // The wallet receives an error for the outdated update.
    const first = update(session.topic, older).catch(() => {})
    await waitForHeld(1)
    await clock.pass(10)
    const second = update(session.topic, newer)
    await waitForHeld(2)
    relay.release()
    await Promise.all([first, second])
    expect(dapp.sessions.get(session.topic)?.namespaces).toEqual(newer)
  })

  test('a client does not answer its own request if the relay sends it back', async () => {
    const { dapp, wallet, relay, clock, session } = await connectedPeers()
    wallet.close()
    const ping = dapp.sessions.ping(session.topic)
    await clock.pass(100)
    const sent = (tag: number) => relay.calls.filter(({ params }) => params.tag === tag)
    const [request] = sent(1114)
    relay.inject(session.topic, String(request?.params.message))
    await clock.pass(100)
    expect(sent(1115)).toEqual([])
    await clock.pass(31_000)
    expect(await ping).toBe(false)
  })

  test('an expired message is not shown to the user', async () => {
    const both = await connectedPeers()
    const { dapp, relay, clock, session } = both
    const seen = answering(both)
    relay.script('held')
    const request = dapp.sessions.request(session.topic, sign)
    request.catch(() => {})
    await clock.pass(301_000)
    relay.release()
    await clock.pass(100)
    await expect(request).rejects.toMatchObject({ code: 'request/timeout' })
    expect(seen.count).toBe(0)
  })

  test('a request that is replayed after the wallet restarts is not shown again', async () => {
    const both = await connectedPeers()
    const { dapp, wallet, relay, clock, session, walletStorage } = both
    const seen = answering(both)
    await dapp.sessions.request(session.topic, sign)
    const message = relay.calls.find(({ method, params }) => method === 'irn_publish' && params.tag === 1108)?.params
      .message
    wallet.close()
    const again = await twoPeers({ relay, clock, walletStorage, pageStorage: memoryStorage() })
    const later = answering(again)
    await again.wallet.sessions.ping(session.topic)
    relay.inject(session.topic, String(message))
    await clock.pass(100)
    expect([seen.count, later.count]).toEqual([1, 0])
  })

  test('if one of two addresses is down, the client uses the other address', async () => {
    const relay = memoryRelay()
    const connect: typeof relay.connect = (url) => {
      const socket = relay.connect(url)
      if (url.startsWith('wss://dead.example')) queueMicrotask(() => socket.onclose?.({ code: 1006, reason: '' }))
      return socket
    }
    const both = await connectedPeers({
      relay: { ...relay, connect },
      addresses: ['wss://relay.example', 'wss://dead.example'],
    })
    const seen = answering(both)
    relay.down()
    const request = both.dapp.sessions.request(both.session.topic, sign)
    relay.up()
    await both.clock.pass(10_000)
    expect(await request).toBe('0x5167')
    expect(seen.count).toBe(1)
    expect(relay.urls.some((url) => url.startsWith('wss://dead.example'))).toBe(true)
  })

  test.each([
    ['JWT validation error: JWT Token is not yet valid', 'relay/session-expired', 'Session Expired'],
    ['Unauthorized: invalid key', 'relay/invalid-key', 'Unauthorized: invalid key'],
    ['Project not found', 'relay/refused', 'The relay rejected this page: Project not found.'],
  ])(
    'if the relay refuses the connection with "%s", the client does not retry, and the page receives the reason [R8.9]',
    async (reason, code, text) => {
      const relay = memoryRelay()
      const states: unknown[] = []
      const client = await createClient({
        metadata: page,
        storage: memoryStorage(),
        relay: 'wss://relay.example',
        connect: relay.connect,
        onStateChange: (state: RelayState, error) => states.push(error ? [state, error.code, error.message] : state),
      })
      await client.rpc.subscribe(new Uint8Array(32))
      const request = client.rpc.request({ topic: '00'.repeat(32), method: 'wc_sessionPing', params: {} })
      request.catch(() => {})
      relay.close(3000, reason)
      expect(states).toEqual(['connecting', 'open', ['refused', code, text]])
      expect(relay.urls).toHaveLength(1)
    },
  )

  test('a call fails after a minute if no relay can be reached', async () => {
    const { proposer, relay, clock } = await twoPeers()
    relay.down()
    const offer = proposer.propose({ optionalNamespaces })
    offer.catch(() => {})
    await clock.pass(60_000)
    await expect(offer).rejects.toMatchObject({
      code: 'relay/unreachable',
      message: 'The relay at relay.example cannot be reached.',
    })
  })

  test('a page whose storage was cleared has no session and does not answer the wallet', async () => {
    const both = await connectedPeers()
    both.dapp.close()
    const fresh = await twoPeers({ relay: both.relay, clock: both.clock, walletStorage: memoryStorage() })
    expect(fresh.dapp.sessions.all()).toEqual([])
    const probe = both.wallet.sessions.ping(both.session.topic)
    await both.clock.pass(30_000)
    expect(await probe).toBe(false)
  })

  test('invalid stored sessions are ignored and deleted', async () => {
    const both = await connectedPeers()
    both.dapp.close()
    await both.pageStorage.set(`session:${both.session.topic}`, { ...both.session, namespaces: 'all' })
    await both.pageStorage.set('session:x', null)
    const again = await twoPeers({ ...both, walletStorage: memoryStorage() })
    expect(again.dapp.sessions.all()).toEqual([])
    expect(await both.pageStorage.list('session:')).toEqual([])
  })

  test('invalid messages on a topic are ignored, and the session continues to work', async () => {
    const both = await connectedPeers()
    const { dapp, relay, clock, session } = both
    answering(both)
    for (const message of ['', '*', 'AA==', btoa('\u0000'.repeat(80)), btoa('\u0001'.repeat(80)), 'x'.repeat(100_000)])
      relay.inject(session.topic, message)
    await clock.pass(1_000)
    expect(await dapp.sessions.request(session.topic, sign)).toBe('0x5167')
  })
})
