import { describe, expect, test, vi } from 'vitest'
import { formatKey } from '../crypto/keyPair.ts'
import { seal } from '../envelope.ts'
import { memoryStorage } from '../storage.ts'
import { cryptoEngines } from '../testing/cryptoEngines.ts'
import type { MemoryRelay } from '../testing/memoryRelay.ts'
import {
  account,
  connectedPeers as connectedOn,
  namespaces,
  next,
  optionalNamespaces,
  page,
  twoPeers as peersOn,
  pocket,
  type TwoPeersOptions,
} from '../testing/peerPair.ts'
import { sealResponseTo } from './authenticateResponse.ts'
import { recapOf } from './cacao.ts'
import { methods } from './protocolMethods.ts'
import type { AuthenticateEvent } from './responder.ts'
import { deferred } from './rpcEngine.ts'
import { rpcError } from './rpcError.ts'
import { walletSessions } from './walletSessionMethods.ts'

// The tests run with native primitives, and with the fallbacks for missing algorithms.
describe.each(cryptoEngines())('$name', ({ source: crypto }) => {
  const twoPeers = (options: TwoPeersOptions = {}) => peersOn({ crypto, ...options })
  const connectedPeers = (options: TwoPeersOptions = {}) => connectedOn({ crypto, ...options })

  test('a page and a wallet connect over a pairing and receive each other’s metadata', async () => {
    const { proposer, responder, dapp, wallet } = await twoPeers()
    const offer = await proposer.propose({ optionalNamespaces })
    const request = next<{ id: number; proposal: { proposer: unknown } }>((listener) =>
      responder.on('proposal', listener),
    )
    await responder.pair(offer.uri)
    const { id, proposal } = await request
    expect(proposal).toMatchObject({ proposer: { metadata: page }, optionalNamespaces, requiredNamespaces: {} })
    const [peerSession, ownSession] = await Promise.all([responder.approve(id, { namespaces }), offer.settled])
    expect(ownSession.topic).toBe(peerSession.topic)
    expect(ownSession).toMatchObject({ controller: false, namespaces, peer: { metadata: pocket } })
    expect(peerSession).toMatchObject({ controller: true, peer: { metadata: page } })
    expect(dapp.sessions.all()).toHaveLength(1)
    expect(wallet.sessions.all()).toHaveLength(1)
  })

  const sign = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x68690a', account] }

  test('a request reaches the wallet, and the page receives the response', async () => {
    const { dapp, wallet, responder, session } = await connectedPeers()
    wallet.sessions.on('request', ({ id, request, session: { topic } }) => {
      expect(request.request).toMatchObject({ method: 'personal_sign', params: sign.params })
      void responder.respond({ topic, id }, { result: '0x5167' })
    })
    expect(await dapp.sessions.request(session.topic, sign)).toBe('0x5167')
  })

  test('a request rejects with the error code and message that the wallet sends', async () => {
    const { dapp, wallet, responder, session } = await connectedPeers()
    wallet.sessions.on('request', ({ id, session: { topic } }) => {
      void responder.respond({ topic, id }, { error: { code: 5000, message: 'User rejected.' } })
    })
    await expect(dapp.sessions.request(session.topic, sign)).rejects.toMatchObject({
      code: 5000,
      message: 'User rejected.',
    })
  })

  test('the page does not send unauthorized requests, and the wallet rejects them', async () => {
    const { dapp, wallet, session, relay } = await connectedPeers()
    wallet.sessions.on('request', () => expect.unreachable('It is not allowed'))
    const before = relay.calls.length
    await expect(dapp.sessions.request(session.topic, { ...sign, method: 'eth_sign' })).rejects.toMatchObject({
      code: 3001,
    })
    await expect(dapp.sessions.request(session.topic, { ...sign, chainId: 'eip155:5' })).rejects.toMatchObject({
      code: 3001,
    })
    expect(relay.calls).toHaveLength(before)
    const params = { chainId: 'eip155:1', request: { method: 'eth_sign', params: [] } }
    await expect(dapp.rpc.request({ topic: session.topic, method: 'wc_sessionRequest', params })).rejects.toMatchObject(
      {
        code: 3001,
      },
    )
  })

  test('the page sets how long the wallet can answer a request, between five minutes and a week', async () => {
    const { dapp, wallet, responder, session, clock, relay } = await connectedPeers()
    const received: number[] = []
    wallet.sessions.on('request', ({ id, request, session: { topic } }) => {
      received.push((request.request.expiryTimestamp ?? 0) - Math.floor(clock.now() / 1000))
      void responder.respond({ topic, id }, { result: true })
    })
    for (const options of [{}, { ttl: 1 }, { ttl: 600 }, { ttl: 30 * 86_400 }])
      await dapp.sessions.request(session.topic, sign, options)
    expect(received).toEqual([300, 300, 600, 604_800])
    expect(JSON.stringify(relay.calls)).toContain('"ttl":600')
  })

  test('the wallet can extend the session to a later expiry, up to seven days from now', async () => {
    const { dapp, wallet, session, clock } = await connectedPeers()
    const expiries: number[] = []
    dapp.sessions.on('extended', ({ expiry }) => expiries.push(expiry - session.expiry))
    const extend = (params?: object) => wallet.rpc.request({ topic: session.topic, method: 'wc_sessionExtend', params })
    await clock.pass(600_000)
    await extend({ expiry: session.expiry + 60 })
    await clock.pass(1_000)
    await extend({ expiry: session.expiry + 86_400 })
    await clock.pass(1_000)
    await extend({})
    expect(expiries).toEqual([60, 601, 602])
    await expect(extend({ expiry: session.expiry })).rejects.toMatchObject({ code: 1004 })
  })

  test('the wallet can update accounts, emit events and extend the session, but the page cannot', async () => {
    const { dapp, wallet, session, clock } = await connectedPeers()
    const { update, emit, extend } = walletSessions(wallet.rpc, wallet.sessions)
    const events: unknown[] = []
    dapp.sessions.on('updated', ({ namespaces: all }) => events.push(all.eip155?.accounts))
    dapp.sessions.on('event', ({ chainId, name, data }) => events.push([chainId, name, data]))
    dapp.sessions.on('extended', ({ expiry }) => events.push(expiry > session.expiry))
    const more = { eip155: { ...namespaces.eip155, accounts: [account, account.replace('0xf39F', '0x0000')] } }
    await update(session.topic, more)
    await emit(session.topic, 'eip155:1', { name: 'chainChanged', data: 1 })
    await clock.pass(60_000)
    await extend(session.topic)
    expect(events).toEqual([more.eip155.accounts, ['eip155:1', 'chainChanged', 1], true])
    await expect(emit(session.topic, 'eip155:1', { name: 'unheard', data: 1 })).rejects.toMatchObject({ code: 3002 })
    const page = walletSessions(dapp.rpc, dapp.sessions)
    await expect(page.update(session.topic, namespaces)).rejects.toMatchObject({ code: 3003 })
    await expect(page.extend(session.topic)).rejects.toMatchObject({ code: 3004 })
    expect(wallet.sessions.get(session.topic)?.namespaces).toEqual(more)
  })

  test.each(['page', 'wallet'] as const)(
    'when the %s disconnects, both sides end the session and delete its records',
    async (who) => {
      const { dapp, wallet, session, pageStorage, walletStorage } = await connectedPeers()
      const [initiator, other] = who === 'page' ? [dapp, wallet] : [wallet, dapp]
      const ended = next<{ reason: unknown }>((listener) => other.sessions.on('ended', listener))
      await initiator.sessions.disconnect(session.topic)
      expect((await ended).reason).toMatchObject({ code: 6000 })
      for (const { sessions } of [dapp, wallet]) expect(sessions.all()).toEqual([])
      for (const records of [pageStorage, walletStorage]) {
        const remaining = [
          ...(await records.list('key:')),
          ...(await records.list('session:')),
          ...(await records.list('handled:')),
        ]
        expect(remaining).toEqual([])
      }
      await expect(dapp.sessions.request(session.topic, sign)).rejects.toMatchObject({ code: 'session/gone' })
    },
  )

  test('a session expires on both sides', async () => {
    const { dapp, wallet, clock } = await connectedPeers()
    const reasons: unknown[] = []
    for (const { sessions, close } of [dapp, wallet]) {
      sessions.on('ended', ({ reason }) => reasons.push(reason))
      close()
    }
    await clock.pass(7 * 86_400_000)
    expect(reasons).toEqual(['expired', 'expired'])
  })

  test('after a reload, the session is restored and the wallet responds without a prompt', async () => {
    const first = await connectedPeers()
    first.dapp.close()
    const { dapp } = await twoPeers({ ...first, walletStorage: memoryStorage() })
    expect(dapp.sessions.all()).toMatchObject([{ topic: first.session.topic, peer: { metadata: pocket } }])
    expect(await dapp.sessions.ping(first.session.topic)).toBe(true)
  })

  test('a ping to a disconnected wallet resolves to false after half a minute', async () => {
    const { dapp, wallet, session, clock } = await connectedPeers()
    wallet.close()
    const probe = dapp.sessions.ping(session.topic)
    await clock.pass(30_000)
    expect(await probe).toBe(false)
  })

  test('a ping can be aborted, and leaves no timer behind', async () => {
    const { dapp, wallet, session, clock } = await connectedPeers()
    const timers = clock.waiting
    expect(await dapp.sessions.ping(session.topic)).toBe(true)
    expect(clock.waiting).toBe(timers)
    wallet.close()
    const stop = new AbortController()
    const probe = dapp.sessions.ping(session.topic, { signal: stop.signal })
    const reason = new Error('The user left.')
    stop.abort(reason)
    await expect(probe).rejects.toMatchObject({ code: 'request/aborted', cause: expect.anything() })
    await expect(dapp.sessions.ping('unknown')).rejects.toMatchObject({ code: 'session/gone' })
  })

  test('disconnecting a session that has already ended does nothing', async () => {
    const { dapp, session, relay } = await connectedPeers()
    await dapp.sessions.disconnect(session.topic)
    const before = relay.calls.length
    await dapp.sessions.disconnect(session.topic)
    expect(relay.calls).toHaveLength(before)
  })

  test('a wallet cannot answer a proposal with a sign-in', async () => {
    const { proposer, responder } = await twoPeers()
    const offer = await proposer.propose({ optionalNamespaces })
    offer.settled.catch(() => {})
    const request = next<{ id: number }>((listener) => responder.on('proposal', listener))
    await responder.pair(offer.uri)
    const { id } = await request
    await expect(responder.signIn(id, [])).rejects.toMatchObject({ code: 'pairing/expired' })
  })

  test('the pairing rejects if the wallet rejects the proposal', async () => {
    const { proposer, responder } = await twoPeers()
    const offer = await proposer.propose({ optionalNamespaces })
    responder.on('proposal', ({ id }) => void responder.reject(id))
    await responder.pair(offer.uri)
    await expect(offer.settled).rejects.toMatchObject({ code: 5000 })
  })

  test('an unused pairing expires after four minutes and can then no longer be joined [R9.3] [R9.14]', async () => {
    const { proposer, responder, clock } = await twoPeers()
    const offer = await proposer.propose({ optionalNamespaces })
    expect(offer.expiresAt).toBe(clock.now() + 240_000)
    expect(offer.uri).toContain(`expiryTimestamp=${Math.floor(offer.expiresAt / 1000)}`)
    let isOver = false
    offer.settled.catch(() => {
      isOver = true
    })
    await clock.pass(239_999)
    expect(isOver).toBe(false)
    await clock.pass(1)
    await expect(offer.settled).rejects.toMatchObject({ code: 'pairing/expired' })
    await expect(responder.pair(offer.uri)).rejects.toMatchObject({ code: 'pairing/expired' })
    await expect(responder.pair('https://shop.example')).rejects.toMatchObject({ code: 'pairing/invalid' })
  })

  test('a wallet can join a pairing until it expires [R9.3] [R9.14]', async () => {
    const { proposer, responder, clock } = await twoPeers()
    const offer = await proposer.propose({ optionalNamespaces })
    responder.on('proposal', ({ id }) => void responder.approve(id, { namespaces }))
    await clock.pass(238_000)
    await responder.pair(offer.uri)
    expect((await offer.settled).namespaces).toMatchObject({ eip155: {} })
  })

  test('a pairing that the page aborts does not connect and leaves no key in the storage', async () => {
    const { proposer, responder, pageStorage } = await twoPeers()
    const stop = new AbortController()
    const offer = await proposer.propose({ optionalNamespaces, signal: stop.signal })
    responder.on('proposal', ({ id }) => {
      stop.abort()
      void responder.approve(id, { namespaces }).catch(() => {})
    })
    await responder.pair(offer.uri)
    await expect(offer.settled).rejects.toMatchObject({ code: 'request/aborted' })
    expect(await pageStorage.list('key:')).toEqual([])
  })

  test.each([
    ['no accounts', { eip155: { ...namespaces.eip155, accounts: [] } }],
    ['no namespaces', {}],
    ['an account in a different namespace', { eip155: { ...namespaces.eip155, accounts: ['solana:1:abc'] } }],
    ['an account that is not a CAIP-10 ID', { eip155: { ...namespaces.eip155, accounts: ['0xf39F'] } }],
  ])('a settlement with %s is rejected by the wallet and by the page', async (_, invalid) => {
    const { proposer, responder, wallet, dapp } = await twoPeers()
    const offer = await proposer.propose({ optionalNamespaces })
    const request = next<{ id: number; proposal: { proposer: { publicKey: string } } }>((listener) =>
      responder.on('proposal', listener),
    )
    await responder.pair(offer.uri)
    const { id, proposal } = await request
    await expect(responder.approve(id, { namespaces: invalid })).rejects.toMatchObject({ code: 'session/invalid' })
    // The page rejects the settlement even if the wallet does not validate it.
    const privateKey = wallet.rpc.crypto.random(32)
    const publicKey = [...(await wallet.rpc.crypto.agreement.publicKey(privateKey))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
    const topic = await wallet.rpc.subscribe(await wallet.rpc.deriveSharedKey(privateKey, proposal.proposer.publicKey))
    const pairing = offer.uri.slice('wc:'.length, 'wc:'.length + 64)
    await wallet.rpc.respond(
      { topic: pairing, id, method: 'wc_sessionPropose' },
      { result: { relay: { protocol: 'irn' }, responderPublicKey: publicKey } },
    )
    const expiry = Math.floor(wallet.rpc.clock.now() / 1000) + 60
    const params = { relay: {}, namespaces: invalid, controller: { publicKey, metadata: pocket }, expiry }
    await expect(wallet.rpc.request({ topic, method: 'wc_sessionSettle', params })).rejects.toMatchObject({
      code: 1005,
    })
    await expect(offer.settled).rejects.toMatchObject({ code: 'session/invalid' })
    expect(dapp.sessions.all()).toEqual([])
  })

  test('if the page rejects the settlement, the wallet has no session and keeps no records', async () => {
    const { proposer, responder, wallet, dapp, walletStorage } = await twoPeers()
    dapp.rpc.handle('wc_sessionSettle', async () => {
      throw rpcError('invalidSettle')
    })
    const offer = await proposer.propose({ optionalNamespaces })
    const request = next<{ id: number }>((listener) => responder.on('proposal', listener))
    await responder.pair(offer.uri)
    await expect(responder.approve((await request).id, { namespaces })).rejects.toMatchObject({ code: 1005 })
    expect(wallet.sessions.all()).toEqual([])
    expect(await walletStorage.list('session:')).toEqual([])
  })

  test('a wallet that is closed before it has settled a session has the session after a restart', async () => {
    const { proposer, responder, wallet, relay, walletStorage } = await twoPeers()
    const offer = await proposer.propose({ optionalNamespaces })
    const request = next<{ id: number }>((listener) => responder.on('proposal', listener))
    await responder.pair(offer.uri)
    const { id } = await request
    const settling = new Promise<void>((resolve) => {
      const { publish } = wallet.rpc.relay
      vi.spyOn(wallet.rpc.relay, 'publish').mockImplementation((publication, options) => {
        if (publication.tag === methods.wc_sessionSettle.tag) {
          relay.down()
          resolve()
        }
        return publish(publication, options)
      })
    })
    const approved = expect(responder.approve(id, { namespaces })).rejects.toMatchObject({ code: 'request/aborted' })
    await settling
    wallet.close()
    await approved
    relay.up()
    const { wallet: restarted } = await twoPeers({ relay, walletStorage })
    expect(restarted.sessions.all()).toMatchObject([{ namespaces, peer: { metadata: page } }])
  })

  const payload = {
    chains: ['eip155:1'],
    domain: 'shop.example',
    aud: 'https://shop.example/',
    nonce: '0123456789abcdef',
    iat: '2026-11-21T12:00:00.000Z',
    statement: 'Sign in to the shop.',
  }

  test('a single request signs the user in and opens a session with the methods in the ReCap [R4.12]', async () => {
    const { proposer, responder, dapp, wallet } = await twoPeers()
    const offer = await proposer.authenticate({ optionalNamespaces, payload, methods: ['personal_sign'] })
    const request = next<AuthenticateEvent>((listener) => responder.on('signIn', listener))
    await responder.pair(offer.uri)
    const { id, payload: received, expiry } = await request
    expect(received).toMatchObject({ ...payload, version: '1' })
    expect(expiry).toBe(Math.floor(offer.expiresAt / 1000))
    const { chains: _, ...rest } = received
    const iss = `did:pkh:${account}`
    const cacao = {
      h: { t: 'caip122' },
      p: { ...rest, version: '1', iss },
      s: { t: 'eip191', s: '0x00' },
    } as const
    await responder.signIn(id, [cacao])
    const { cacaos, session } = await offer.settled
    expect(cacaos).toMatchObject([{ p: { iss, nonce: payload.nonce } }])
    expect(session?.namespaces.eip155).toMatchObject({ accounts: [account], methods: ['personal_sign'] })
    expect(wallet.sessions.get(session?.topic ?? '')).toBeDefined()
    expect(await dapp.sessions.ping(session?.topic ?? '')).toBe(true)
  })

  test('a sign-in request contains the page’s resources, the ReCap and the message type', async () => {
    const { proposer, responder, wallet } = await twoPeers()
    const terms = 'https://shop.example/terms'
    const recap = recapOf(['personal_sign'], payload.chains)
    for (const [requested, resources] of [
      [payload, [recap]],
      [{ ...payload, resources: [terms] }, [terms, recap]],
    ] as const) {
      const offer = await proposer.authenticate({ optionalNamespaces, payload: requested, methods: ['personal_sign'] })
      offer.settled.catch(() => {})
      // Reads the request as it was sent, because `responder` replaces an invalid type.
      const received = new Promise((resolve) =>
        wallet.rpc.handle('wc_sessionAuthenticate', async ({ params }) => {
          resolve(params)
          return deferred
        }),
      )
      await responder.pair(offer.uri)
      expect(await received).toMatchObject({ authPayload: { ...payload, type: 'caip122', version: '1', resources } })
    }
  })

  test.each([
    [null, 'No recap provided'],
    [{}, 'No `att` property found'],
    [{ att: { eip155: 7 } }, 'Resource must be an object'],
  ])(
    'a sign-in whose ReCap is %j fails with "%s" in the wallet, or on the page if the wallet does not check the ReCap [R8.11]',
    async (recap, text) => {
      const { proposer, responder, dapp, wallet } = await twoPeers()
      const cacao = {
        h: { t: 'caip122' },
        p: {
          iss: `did:pkh:${account}`,
          domain: payload.domain,
          aud: payload.aud,
          version: '1',
          nonce: payload.nonce,
          iat: payload.iat,
          resources: [`urn:recap:${btoa(JSON.stringify(recap))}`],
        },
        s: { t: 'eip191', s: '0x00' },
      } as const

      const checked = await proposer.authenticate({ optionalNamespaces, payload, methods: ['personal_sign'] })
      checked.settled.catch(() => {})
      const request = next<AuthenticateEvent>((listener) => responder.on('signIn', listener))
      await responder.pair(checked.uri)
      await expect(responder.signIn((await request).id, [cacao])).rejects.toThrow(text)

      // A different wallet might send the CACAO without checking it.
      wallet.rpc.handle('wc_sessionAuthenticate', async ({ id, params }) => {
        const { requester } = params as { readonly requester: { readonly publicKey: string } }
        const { topic, sealing } = await sealResponseTo(wallet.rpc, requester.publicKey)
        const result = { cacaos: [cacao], responder: { publicKey: formatKey(sealing.sender), metadata: pocket } }
        await wallet.rpc.respond({ topic, id, method: 'wc_sessionAuthenticate' }, { result }, sealing)
        return deferred
      })
      const offer = await proposer.authenticate({ optionalNamespaces, payload, methods: ['personal_sign'] })
      const failed = expect(offer.settled).rejects.toThrow(text)
      await responder.pair(offer.uri)
      await failed
      expect([dapp.sessions.all(), wallet.sessions.all()]).toEqual([[], []])
    },
  )

  test('a wallet that does not support sign-in can still connect', async () => {
    const { proposer, responder } = await twoPeers()
    const offer = await proposer.authenticate({ optionalNamespaces, payload, methods: ['personal_sign'] })
    responder.on('proposal', ({ id }) => void responder.approve(id, { namespaces }))
    await responder.pair(offer.uri)
    const { cacaos, session } = await offer.settled
    expect(cacaos).toEqual([])
    expect(session?.namespaces).toEqual(namespaces)
  })

  /** Opens a pairing. The returned function sends a proposal over it, with an ID chosen by the page. */
  const proposeAs = async ({ dapp, responder }: Awaited<ReturnType<typeof twoPeers>>, name: string) => {
    const key = dapp.rpc.crypto.random(32)
    const topic = await dapp.rpc.subscribe(key)
    await responder.pair(`wc:${topic}@2?relay-protocol=irn&symKey=${Buffer.from(key).toString('hex')}`)
    const ask = async (id: number): Promise<void> => {
      const text = JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'wc_sessionPropose',
        params: {
          requiredNamespaces: {},
          optionalNamespaces,
          relays: [{ protocol: 'irn' }],
          proposer: { publicKey: 'a'.repeat(64), metadata: { ...page, name } },
        },
      })
      const message = await seal(dapp.rpc.crypto, { key, text })
      await dapp.rpc.relay.publish({ topic, message, tag: 1100, ttl: 300 })
    }
    return { topic, ask }
  }

  test('a request from another pairing is rejected if it has the same ID as a pending request', async () => {
    const both = await twoPeers()
    const request: string[] = []
    both.responder.on('proposal', ({ proposal }) => request.push(proposal.proposer.metadata.name))
    const shop = await proposeAs(both, 'Shop')
    const attacker = await proposeAs(both, 'Thief')
    await shop.ask(7)
    await vi.waitFor(() => expect(request).toEqual(['Shop']))
    await attacker.ask(7)
    await attacker.ask(8)
    await vi.waitFor(() => expect(request).toEqual(['Shop', 'Thief']))
    expect(tagsOf(both.relay).filter((tag) => tag === 1120)).toHaveLength(1)
    // The response is sent to the pairing of the first request.
    await both.responder.reject(7)
    expect(both.relay.calls.findLast(({ method }) => method === 'irn_publish')?.params.topic).toBe(shop.topic)
  })

  test('a pairing’s requests are rejected if it already has twenty pending requests', async () => {
    const both = await twoPeers()
    const request: number[] = []
    both.responder.on('proposal', ({ id }) => request.push(id))
    const flood = await proposeAs(both, 'Flood')
    for (let id = 1; id <= 22; id += 1) await flood.ask(id)
    await vi.waitFor(() => expect(tagsOf(both.relay).filter((tag) => tag === 1120)).toHaveLength(2))
    expect(request).toHaveLength(20)
  })

  test('the pairing rejects if the wallet rejects the sign-in, and leaves no key in the storage', async () => {
    const { proposer, responder, pageStorage } = await twoPeers()
    const offer = await proposer.authenticate({ optionalNamespaces, payload, methods: ['personal_sign'] })
    responder.on('signIn', ({ id }) => void responder.reject(id))
    await responder.pair(offer.uri)
    await expect(offer.settled).rejects.toMatchObject({ code: 5000 })
    expect(await pageStorage.list('key:')).toEqual([])
  })
})

/** Returns the tags of all published messages. */
function tagsOf({ calls }: MemoryRelay): readonly unknown[] {
  return calls.flatMap(({ method, params }) => (method === 'irn_publish' ? [params.tag] : []))
}
