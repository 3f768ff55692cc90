import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import { fakeClock, fakeConnector, fakeNetwork, fakeSession } from '../testing/index.ts'
import type { LiveSession } from './liveSession.ts'
import { createSessionRegistry } from './sessionRegistry.ts'

const ended = new Promise<never>(() => {})

function page() {
  const live = new Map<Namespace, readonly LiveSession[]>()
  const clock = fakeClock()
  const events: unknown[] = []
  const activated: ChainId[] = []
  const stored: Namespace[] = []
  const sessions = createSessionRegistry({
    live,
    slice: { update() {} },
    networks: { activate: (chain) => activated.push(chain), supports: (chain) => chain === 'eip155:1' },
    active: () => 'eip155',
    store: (namespace) => stored.push(namespace),
    events: { emit: (event, value) => events.push([event, value]) },
    clock,
    sent() {},
  })
  const add = (id: string, address: string, params = { reconnect: false, first: true }) => {
    const session = fakeSession(fakeConnector({ id }), { chain: 'eip155:1', addresses: [`0x${address}`] })
    return { session, others: sessions.add(session, params) }
  }
  return { sessions, clock, events, activated, stored, add, ids: () => idsOf(sessions.all()) }
}

const idsOf = (all: readonly LiveSession[]) => all.map(({ session }) => session.connector.id)

test('a new session becomes active, but a restored session does not, and add() returns the other wallets’ sessions', () => {
  const { add, ids } = page()
  add('io.a', 'a')
  expect(idsOf(add('io.b', 'b').others)).toEqual(['io.a'])
  expect(ids()).toEqual(['io.b', 'io.a'])
  add('io.c', 'c', { reconnect: true, first: false })
  expect(ids()).toEqual(['io.b', 'io.a', 'io.c'])
})

test('a second session from the same connector replaces the first session, whose changes are then ignored', () => {
  const { add, ids, events, stored } = page()
  const { session } = add('io.a', 'a')
  expect(add('io.a', 'a').others).toEqual([])
  const before = [events.length, stored.length]
  session.change({ accounts: ['0xb'] })
  expect([events.length, stored.length]).toEqual(before)
  expect(ids()).toEqual(['io.a'])
})

test('the next session becomes active and is stored when the wallet ends the active session', () => {
  const { add, ids, events, stored, activated } = page()
  add('io.a', 'a')
  const { session } = add('io.b', 'b')
  events.length = stored.length = activated.length = 0
  session.leave()
  expect(ids()).toEqual(['io.a'])
  expect(events).toEqual([['accounts', { namespace: 'eip155', accounts: ['eip155:1:0xa'] }]])
  expect([stored, activated]).toEqual([['eip155'], ['eip155:1']])
})

test('the selected account stays first when the wallet reorders its accounts', () => {
  const { add, sessions, events } = page()
  const { session } = add('io.a', 'a')
  session.change({ accounts: ['0xa', '0xb'] })
  sessions.activate({ namespace: 'eip155', connectorId: 'io.a', account: 'eip155:1:0xB' })
  session.change({ accounts: ['0xc', '0xb', '0xa'] })
  const accounts = ['eip155:1:0xb', 'eip155:1:0xc', 'eip155:1:0xa']
  expect(events.at(-1)).toEqual(['accounts', { namespace: 'eip155', accounts }])
})

test('switchNetwork() rejects if the wallet cannot switch, and sets the active network if there is no session', async () => {
  const { sessions, activated } = page()
  await sessions.switchNetwork(fakeNetwork('eip155:10'))
  expect(activated).toEqual(['eip155:10'])
  const fixed = fakeSession(fakeConnector(), { chain: 'eip155:1', addresses: ['0xa'], switches: false })
  sessions.add(fixed, { reconnect: false, first: true })
  await expect(sessions.switchNetwork(fakeNetwork('eip155:10'))).rejects.toMatchObject({ code: 'wallet/unsupported' })
  expect(activated).toEqual(['eip155:10', 'eip155:1'])
})

test('disconnect() removes the session even if the wallet does not respond, and resolves to the error', async () => {
  const { sessions, clock, add, ids, events } = page()
  const { session } = add('io.a', 'a')
  session.disconnect = () => ended
  const [live] = sessions.all()
  const outcome = live && sessions.disconnect(live)
  await clock.pass(60_000)
  expect(await outcome).toMatchObject({ code: 'wallet/unresponsive' })
  expect(ids()).toEqual([])
  expect(events.at(-1)).toEqual(['disconnect', { namespace: 'eip155' }])
})
