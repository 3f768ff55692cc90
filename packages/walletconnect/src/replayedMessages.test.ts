import { fakeClock } from '@latchkey/protocol/testing'
import { describe, expect, test, vi } from 'vitest'
import { reasons } from './sign/methods.ts'
import { walletSessions } from './sign/sessions.ts'
import { type KeyValueStorage, memoryStorage } from './storage.ts'
import { account, connectedPeers as connectedAt, namespaces, twoPeers } from './testing/peerPair.ts'

// A relay that holds messages back, hands them over later, twice or in another order, must not bring back what a wallet took away.

const removed = `eip155:1:0x${'2'.repeat(40)}`
const withAccounts = (...accounts: readonly string[]) => ({ eip155: { ...namespaces.eip155, accounts: [...accounts] } })

const dayMs = 86_400_000

/** A page and a wallet with a session, at a time that ids of requests can begin with. */
const connectedPeers = () => connectedAt({ clock: fakeClock(Date.UTC(2026, 0, 1)) })

type Both = Awaited<ReturnType<typeof connectedPeers>>

/** What the wallet published last with that tag, sealed as it was. */
function published({ relay }: Both, tag: number, at = -1): string {
  return String(
    relay.calls.filter(({ method, params }) => method === 'irn_publish' && params.tag === tag).at(at)?.params.message,
  )
}

/** Says it while the relay keeps it to itself; the answer is the message. */
async function withheld(both: Both, tag: number, say: () => Promise<unknown>): Promise<string> {
  const { relay, clock } = both
  const before = relay.calls.filter(({ params }) => params.tag === tag).length
  relay.script('held')
  say().catch(() => {})
  await vi.waitFor(() => expect(relay.calls.filter(({ params }) => params.tag === tag).length).toBe(before + 1))
  await clock.pass(0)
  relay.script('none')
  return published(both, tag)
}

/** The page is loaded anew, over its records or over older ones. */
async function reloaded(both: Both, pageRecords: KeyValueStorage = both.pageRecords) {
  both.dapp.close()
  const again = await twoPeers({ relay: both.relay, clock: both.clock, pageRecords, walletRecords: memoryStorage() })
  await again.dapp.rpc.relay.subscribe([both.session.topic])
  return again.dapp
}

/** A copy of all that stands in `records`. */
async function copied(records: KeyValueStorage): Promise<KeyValueStorage> {
  const copy = memoryStorage()
  for (const [key, value] of await records.list('')) await copy.set(key, value)
  return copy
}

const of = (both: Both) => walletSessions(both.wallet.rpc, both.wallet.sessions)

describe('a session_update that was held back', () => {
  test.each([false, true])('restores no account that was removed since (page loaded anew: %s)', async (anew) => {
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

  test('counts no more once it is older than a relay may keep it', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    const params = { namespaces: withAccounts(account, removed) }
    await speak(wallet, session.topic, { id: (clock.now() - 2 * dayMs) * 1000, method: 'wc_sessionUpdate', params })
    await clock.pass(100)
    expect(both.dapp.sessions.get(session.topic)?.namespaces).toEqual(namespaces)
  })

  test('with the id of the one after it, or an id of the same moment, changes nothing', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    const topic = session.topic
    const id = clock.now() * 1000 + 500
    const say = (at: number, accounts: readonly string[]) => {
      const body = { id: at, method: 'wc_sessionUpdate', params: { namespaces: withAccounts(...accounts) } }
      return speak(wallet, topic, body)
    }
    await say(id, [account])
    await clock.pass(0)
    const dapp = await reloaded(both)
    await say(id, [account, removed])
    await say(id - 1, [account, removed])
    await clock.pass(100)
    expect(dapp.sessions.get(topic)?.namespaces).toEqual(withAccounts(account))
  })

  test('a newer one still counts after a reload', async () => {
    const both = await connectedPeers()
    await of(both).update(both.session.topic, withAccounts(account, removed))
    const dapp = await reloaded(both)
    await both.clock.pass(10)
    await of(both).update(both.session.topic, withAccounts(account))
    expect(dapp.sessions.get(both.session.topic)?.namespaces).toEqual(withAccounts(account))
  })

  test('replayed after its id was forgotten changes nothing', async () => {
    const both = await connectedPeers()
    const { session, relay, clock } = both
    await of(both).update(session.topic, withAccounts(account, removed))
    const older = published(both, 1104)
    await clock.pass(10)
    await of(both).update(session.topic, withAccounts(account))
    await both.pageRecords.remove(`handled:${session.topic}`)
    const dapp = await reloaded(both)
    relay.inject(session.topic, older)
    await clock.pass(100)
    expect(dapp.sessions.get(session.topic)?.namespaces).toEqual(withAccounts(account))
  })
})

describe('a session_extend that was held back', () => {
  test('extends no further than when the wallet said it, also after a reload', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    await clock.pass(30_000)
    const dapp = await reloaded(both)
    const said = clock.now() - 10_000
    await speak(wallet, session.topic, { id: said * 1000, method: 'wc_sessionExtend', params: {} })
    await clock.pass(100)
    expect(dapp.sessions.get(session.topic)?.expiry).toBe(Math.floor(said / 1000) + 7 * 86_400)
  })

  test('that names no end and comes again extends nothing', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    const id = clock.now() * 1000
    await clock.pass(1)
    await speak(wallet, session.topic, { id, method: 'wc_sessionExtend', params: {} })
    await clock.pass(0)
    const before = both.dapp.sessions.get(session.topic)?.expiry
    await both.pageRecords.remove(`handled:${session.topic}`)
    await clock.pass(30_000)
    const dapp = await reloaded(both)
    await speak(wallet, session.topic, { id, method: 'wc_sessionExtend', params: {} })
    await clock.pass(100)
    expect(dapp.sessions.get(session.topic)?.expiry).toBe(before)
  })
})

describe('a session_event', () => {
  const events = (dapp: Both['dapp']) => {
    const heard: unknown[] = []
    dapp.sessions.on('event', ({ data }) => heard.push(data))
    return heard
  }

  test('that was held back does not undo the one after it, also after a reload', async () => {
    const both = await connectedPeers()
    const { session, relay, clock } = both
    const { emit } = of(both)
    const older = await withheld(both, 1110, () => emit(session.topic, 'eip155:1', { name: 'chainChanged', data: 5 }))
    await clock.pass(10)
    await emit(session.topic, 'eip155:1', { name: 'chainChanged', data: 1 })
    await clock.pass(10)
    const dapp = await reloaded(both)
    const heard = events(dapp)
    relay.inject(session.topic, older)
    await clock.pass(100)
    expect(heard).toEqual([])
  })

  test('from before an update does not speak of what the update removed', async () => {
    const both = await connectedPeers()
    const { session, relay, clock } = both
    const heard = events(both.dapp)
    const older = await withheld(both, 1110, () =>
      of(both).emit(session.topic, 'eip155:1', { name: 'chainChanged', data: [removed] }),
    )
    await clock.pass(10)
    await of(both).update(session.topic, withAccounts(account))
    relay.inject(session.topic, older)
    await clock.pass(100)
    expect(heard).toEqual([])
  })

  test('for a chain that was removed is refused', async () => {
    const both = await connectedPeers()
    const { session, clock, wallet } = both
    const heard = events(both.dapp)
    const params = { chainId: 'eip155:137', event: { name: 'chainChanged', data: 137 } }
    await speak(wallet, session.topic, { id: clock.now() * 1000, method: 'wc_sessionEvent', params })
    await clock.pass(100)
    expect(heard).toEqual([])
  })

  test('of the page changes nothing at the wallet', async () => {
    const both = await connectedPeers()
    const { session, clock, dapp, wallet } = both
    const heard = events(wallet)
    const params = { chainId: 'eip155:1', event: { name: 'chainChanged', data: 1 } }
    for (const method of ['wc_sessionEvent', 'wc_sessionUpdate', 'wc_sessionExtend'])
      await speak(dapp, session.topic, {
        id: clock.now() * 1000 + method.length,
        method,
        params: method === 'wc_sessionUpdate' ? { namespaces: withAccounts(removed) } : params,
      })
    await clock.pass(100)
    expect(heard).toEqual([])
    expect(wallet.sessions.get(session.topic)).toMatchObject({ namespaces, expiry: session.expiry })
  })
})

test('a session that ended stays ended, whatever is replayed afterwards', async () => {
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

test('storage that was put back to an earlier day takes no older update than that day’s', async () => {
  const both = await connectedPeers()
  const { session, relay, clock } = both
  await of(both).update(session.topic, withAccounts(account, removed))
  const first = published(both, 1104)
  await clock.pass(10)
  await of(both).update(session.topic, withAccounts(account))
  const backup = await copied(both.pageRecords)
  await backup.remove(`handled:${session.topic}`)
  const dapp = await reloaded(both, backup)
  relay.inject(session.topic, first)
  await clock.pass(100)
  expect(dapp.sessions.get(session.topic)?.namespaces).toEqual(withAccounts(account))
})

test('a wallet that extends while it updates keeps both', async () => {
  const both = await connectedPeers()
  const { session, clock } = both
  await clock.pass(60_000)
  await Promise.all([of(both).update(session.topic, withAccounts(account, removed)), of(both).extend(session.topic)])
  expect(both.wallet.sessions.get(session.topic)).toMatchObject({
    namespaces: withAccounts(account, removed),
    expiry: Math.floor(clock.now() / 1000) + 7 * 86_400,
  })
})

test('a request without an end of its own is not put before anybody days later', async () => {
  const both = await connectedPeers()
  const { session, clock, dapp, wallet } = both
  let asked = 0
  wallet.sessions.on('request', () => {
    asked += 1
  })
  const request = { method: 'personal_sign', params: ['0x68'] }
  const old = {
    id: (clock.now() - 3 * dayMs) * 1000,
    method: 'wc_sessionRequest',
    params: { chainId: 'eip155:1', request },
  }
  await speak(dapp, session.topic, old)
  await clock.pass(100)
  expect(asked).toBe(0)
})

/** Says `body` over the session, with an id of the test's own. */
async function speak(from: Both['dapp'], topic: string, body: { id: number; method: string; params: unknown }) {
  const { seal } = await import('./envelope.ts')
  const key = (await from.rpc.storage.get(`key:${topic}`)) as Uint8Array
  const message = await seal(from.rpc.crypto, { key, text: JSON.stringify({ jsonrpc: '2.0', ...body }) })
  await from.rpc.relay.publish({ topic, message, ttl: 300, tag: 9999 })
}
