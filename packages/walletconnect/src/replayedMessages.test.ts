import { fakeClock } from '@latchkey/protocol/testing'
import { describe, expect, test, vi } from 'vitest'
import { reasons } from './sign/protocolMethods.ts'
import { walletSessions } from './sign/walletSessionMethods.ts'
import { type KeyValueStorage, memoryStorage } from './storage.ts'
import { account, connectedPeers as connectedAt, namespaces, twoPeers } from './testing/peerPair.ts'

// A relay that delays, repeats or reorders messages must not be able to restore anything that a wallet has revoked.

const removed = `eip155:1:0x${'2'.repeat(40)}`
const withAccounts = (...accounts: readonly string[]) => ({ eip155: { ...namespaces.eip155, accounts: [...accounts] } })

const dayMs = 86_400_000

/** Connects a page and a wallet. The clock starts at a realistic time, because request IDs contain the time. */
const connectedPeers = () => connectedAt({ clock: fakeClock(Date.UTC(2026, 0, 1)) })

type Both = Awaited<ReturnType<typeof connectedPeers>>

/** Returns an encrypted message that was published with this tag, by default the latest one. */
function published({ relay }: Both, tag: number, at = -1): string {
  return String(
    relay.calls.filter(({ method, params }) => method === 'irn_publish' && params.tag === tag).at(at)?.params.message,
  )
}

/** Calls `send`, whose message the relay withholds. Resolves to the encrypted message. */
async function withheld(both: Both, tag: number, send: () => Promise<unknown>): Promise<string> {
  const { relay, clock } = both
  const before = relay.calls.filter(({ params }) => params.tag === tag).length
  relay.script('held')
  send().catch(() => {})
  await vi.waitFor(() => expect(relay.calls.filter(({ params }) => params.tag === tag).length).toBe(before + 1))
  await clock.pass(0)
  relay.script('none')
  return published(both, tag)
}

/** Reloads the page with its current storage, or with an older copy of it. */
async function reloaded(both: Both, pageStorage: KeyValueStorage = both.pageStorage) {
  both.dapp.close()
  const again = await twoPeers({ relay: both.relay, clock: both.clock, pageStorage, walletStorage: memoryStorage() })
  await again.dapp.rpc.relay.subscribe([both.session.topic])
  return again.dapp
}

/** Returns a copy of `records`. */
async function copied(records: KeyValueStorage): Promise<KeyValueStorage> {
  const copy = memoryStorage()
  for (const [key, value] of await records.list('')) await copy.set(key, value)
  return copy
}

const of = (both: Both) => walletSessions(both.wallet.rpc, both.wallet.sessions)

describe('a delayed wc_sessionUpdate', () => {
  test.each([false, true])('does not restore a removed account (after a reload: %s)', async (anew) => {
    const both = await connectedPeers()
    const { session, relay, clock } = both
    const older = await withheld(both, 1104, () => of(both).update(session.topic, withAccounts(account, removed)))
    await clock.pass(10)
    await of(both).update(session.topic, withAccounts(account))
    const dapp = anew ? await reloaded(both) : both.dapp
    relay.inject(session.topic, older)
    await clock.pass(100)
    expect(dapp.sessions.get(session.topic)?.namespaces).toEqual(withAccounts(account))
  })

  test('is ignored once it is older than its TTL', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    const params = { namespaces: withAccounts(account, removed) }
    await speak(wallet, session.topic, { id: (clock.now() - 2 * dayMs) * 1000, method: 'wc_sessionUpdate', params })
    await clock.pass(100)
    expect(both.dapp.sessions.get(session.topic)?.namespaces).toEqual(namespaces)
  })

  test('is ignored if its ID is not higher than the ID of the latest update', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    const topic = session.topic
    const id = clock.now() * 1000 + 500
    const sendUpdate = (at: number, accounts: readonly string[]) => {
      const body = { id: at, method: 'wc_sessionUpdate', params: { namespaces: withAccounts(...accounts) } }
      return speak(wallet, topic, body)
    }
    await sendUpdate(id, [account])
    await clock.pass(0)
    const dapp = await reloaded(both)
    await sendUpdate(id, [account, removed])
    await sendUpdate(id - 1, [account, removed])
    await clock.pass(100)
    expect(dapp.sessions.get(topic)?.namespaces).toEqual(withAccounts(account))
  })

  test('does not prevent newer updates after a reload', async () => {
    const both = await connectedPeers()
    await of(both).update(both.session.topic, withAccounts(account, removed))
    const dapp = await reloaded(both)
    await both.clock.pass(10)
    await of(both).update(both.session.topic, withAccounts(account))
    expect(dapp.sessions.get(both.session.topic)?.namespaces).toEqual(withAccounts(account))
  })

  test('is ignored when it is replayed after the request history was deleted', async () => {
    const both = await connectedPeers()
    const { session, relay, clock } = both
    await of(both).update(session.topic, withAccounts(account, removed))
    const older = published(both, 1104)
    await clock.pass(10)
    await of(both).update(session.topic, withAccounts(account))
    await both.pageStorage.remove(`handled:${session.topic}`)
    const dapp = await reloaded(both)
    relay.inject(session.topic, older)
    await clock.pass(100)
    expect(dapp.sessions.get(session.topic)?.namespaces).toEqual(withAccounts(account))
  })
})

describe('a delayed wc_sessionExtend', () => {
  test('extends the session from the time it was sent, even after a reload', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    await clock.pass(30_000)
    const dapp = await reloaded(both)
    const sentAt = clock.now() - 10_000
    await speak(wallet, session.topic, { id: sentAt * 1000, method: 'wc_sessionExtend', params: {} })
    await clock.pass(100)
    expect(dapp.sessions.get(session.topic)?.expiry).toBe(Math.floor(sentAt / 1000) + 7 * 86_400)
  })

  test('without an expiry does not extend the session again when it is replayed', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    const id = clock.now() * 1000
    await clock.pass(1)
    await speak(wallet, session.topic, { id, method: 'wc_sessionExtend', params: {} })
    await clock.pass(0)
    const before = both.dapp.sessions.get(session.topic)?.expiry
    await both.pageStorage.remove(`handled:${session.topic}`)
    await clock.pass(30_000)
    const dapp = await reloaded(both)
    await speak(wallet, session.topic, { id, method: 'wc_sessionExtend', params: {} })
    await clock.pass(100)
    expect(dapp.sessions.get(session.topic)?.expiry).toBe(before)
  })
})

describe('a wc_sessionEvent', () => {
  const events = (dapp: Both['dapp']) => {
    const received: unknown[] = []
    dapp.sessions.on('event', ({ data }) => received.push(data))
    return received
  }

  test('that was delayed does not undo a later event, even after a reload', async () => {
    const both = await connectedPeers()
    const { session, relay, clock } = both
    const { emit } = of(both)
    const older = await withheld(both, 1110, () => emit(session.topic, 'eip155:1', { name: 'chainChanged', data: 5 }))
    await clock.pass(10)
    await emit(session.topic, 'eip155:1', { name: 'chainChanged', data: 1 })
    await clock.pass(10)
    const dapp = await reloaded(both)
    const received = events(dapp)
    relay.inject(session.topic, older)
    await clock.pass(100)
    expect(received).toEqual([])
  })

  test('that was sent before an update is ignored', async () => {
    const both = await connectedPeers()
    const { session, relay, clock } = both
    const received = events(both.dapp)
    const older = await withheld(both, 1110, () =>
      of(both).emit(session.topic, 'eip155:1', { name: 'chainChanged', data: [removed] }),
    )
    await clock.pass(10)
    await of(both).update(session.topic, withAccounts(account))
    relay.inject(session.topic, older)
    await clock.pass(100)
    expect(received).toEqual([])
  })

  test('for a chain that is not in the session is ignored', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    const received = events(both.dapp)
    const params = { chainId: 'eip155:137', event: { name: 'chainChanged', data: 137 } }
    await speak(wallet, session.topic, { id: clock.now() * 1000, method: 'wc_sessionEvent', params })
    await clock.pass(100)
    expect(received).toEqual([])
  })

  test('from the page is ignored by the wallet, as are updates and extensions', async () => {
    const both = await connectedPeers()
    const { session, clock, dapp, wallet } = both
    const received = events(wallet)
    const params = { chainId: 'eip155:1', event: { name: 'chainChanged', data: 1 } }
    for (const method of ['wc_sessionEvent', 'wc_sessionUpdate', 'wc_sessionExtend'])
      await speak(dapp, session.topic, {
        id: clock.now() * 1000 + method.length,
        method,
        params: method === 'wc_sessionUpdate' ? { namespaces: withAccounts(removed) } : params,
      })
    await clock.pass(100)
    expect(received).toEqual([])
    expect(wallet.sessions.get(session.topic)).toMatchObject({ namespaces, expiry: session.expiry })
  })
})

test('replayed messages do not restore a session that has ended', async () => {
  const both = await connectedPeers()
  const { session, relay, clock } = both
  await of(both).update(session.topic, withAccounts(account, removed))
  const update = published(both, 1104)
  const settlement = published(both, 1102)
  await both.wallet.sessions.disconnect(session.topic, reasons.userDisconnected)
  await clock.pass(100)
  const dapp = await reloaded(both)
  for (const message of [settlement, update, published(both, 1112)]) relay.inject(session.topic, message)
  await clock.pass(100)
  expect(dapp.sessions.all()).toEqual([])
})

test('a page whose storage was restored ignores updates that are older than its session', async () => {
  const both = await connectedPeers()
  const { session, relay, clock } = both
  await of(both).update(session.topic, withAccounts(account, removed))
  const first = published(both, 1104)
  await clock.pass(10)
  await of(both).update(session.topic, withAccounts(account))
  const backup = await copied(both.pageStorage)
  await backup.remove(`handled:${session.topic}`)
  const dapp = await reloaded(both, backup)
  relay.inject(session.topic, first)
  await clock.pass(100)
  expect(dapp.sessions.get(session.topic)?.namespaces).toEqual(withAccounts(account))
})

test('a concurrent update and extension are both applied', async () => {
  const both = await connectedPeers()
  const { session, clock } = both
  await clock.pass(60_000)
  await Promise.all([of(both).update(session.topic, withAccounts(account, removed)), of(both).extend(session.topic)])
  expect(both.wallet.sessions.get(session.topic)).toMatchObject({
    namespaces: withAccounts(account, removed),
    expiry: Math.floor(clock.now() / 1000) + 7 * 86_400,
  })
})

test('a request without an expiry is not shown if it arrives days later', async () => {
  const both = await connectedPeers()
  const { session, clock, dapp, wallet } = both
  let received = 0
  wallet.sessions.on('request', () => {
    received += 1
  })
  const request = { method: 'personal_sign', params: ['0x68'] }
  const old = {
    id: (clock.now() - 3 * dayMs) * 1000,
    method: 'wc_sessionRequest',
    params: { chainId: 'eip155:1', request },
  }
  await speak(dapp, session.topic, old)
  await clock.pass(100)
  expect(received).toBe(0)
})

/** Sends `body`, including its custom ID, over the session. */
async function speak(from: Both['dapp'], topic: string, body: { id: number; method: string; params: unknown }) {
  const { seal } = await import('./envelope.ts')
  const key = (await from.rpc.storage.get(`key:${topic}`)) as Uint8Array
  const message = await seal(from.rpc.crypto, { key, text: JSON.stringify({ jsonrpc: '2.0', ...body }) })
  await from.rpc.relay.publish({ topic, message, ttl: 300, tag: 9999 })
}
