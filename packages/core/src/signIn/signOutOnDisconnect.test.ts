import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import type { AccountView } from '../latchkeyTypes.ts'
import { createRetries } from '../lib/retries.ts'
import { fakeAuthentication, fakeClock, fakeNetwork } from '../testing/index.ts'
import type { AuthenticationAdapter } from './signInTypes.ts'
import { createSignOutOnDisconnect } from './signOutOnDisconnect.ts'

type View = Pick<AccountView, 'address' | 'chain' | 'status'>
const disconnected: View = { address: undefined, chain: undefined, status: 'disconnected' }
const reconnecting = (chain: ChainId, address: string): View => ({ chain, address, status: 'reconnecting' })
const connected = (chain: ChainId, address: string): View => ({ chain, address, status: 'connected' })

function page(more: Partial<AuthenticationAdapter> = {}, signedIn: readonly AccountId[] = []) {
  const authentication = fakeAuthentication(more)
  const views = new Map<Namespace, View>()
  const events: unknown[] = []
  const disconnecting = new Set<AccountId>()
  const clock = fakeClock()
  const { check, stop } = createSignOutOnDisconnect({
    authentication,
    connected: undefined,
    disconnecting,
    account: (namespace) => views.get(namespace) ?? disconnected,
    signedIn: new Set(signedIn),
    networks: () => [fakeNetwork('eip155:1'), fakeNetwork('eip155:10'), fakeNetwork('solana:1')],
    events: { emit: (event, value) => events.push([event, value]) },
    log: { warn() {} },
    retries: createRetries(clock, () => 1),
  })
  return {
    authentication,
    events,
    disconnecting,
    clock,
    stop,
    async show(namespace: Namespace, view: View) {
      views.set(namespace, view)
      check()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('disconnecting a family signs out its accounts on every network, and the host is notified about those that were signed in', async () => {
  const { authentication, events, show } = page({}, ['eip155:1:0xa', 'solana:1:s'])
  await show('solana', connected('solana:1', 's'))
  await show('eip155', connected('eip155:1', '0xa'))
  await show('eip155', connected('eip155:10', '0xb'))
  expect(authentication.calls).toEqual([])
  await show('eip155', disconnected)
  const revoked = authentication.calls.map(([, account]) => account)
  expect(revoked).toEqual(['eip155:1:0xa', 'eip155:10:0xa', 'eip155:10:0xb', 'eip155:1:0xb'])
  expect(events).toEqual([['signOut', { account: 'eip155:1:0xa' }]])
})

test('all sessions are removed once no account is connected', async () => {
  const { authentication, show } = page()
  await show('eip155', connected('eip155:1', '0xa'))
  await show('eip155', disconnected)
  expect(authentication.calls).toEqual([['setSessions', []]])
})

test('an adapter with `signOutOnDisconnect: false` keeps its sessions', async () => {
  const { authentication, events, show } = page({ signOutOnDisconnect: false }, ['eip155:1:0xa'])
  await show('eip155', connected('eip155:1', '0xa'))
  await show('eip155', disconnected)
  expect([authentication.calls, events]).toEqual([[], []])
})

test('a connection that the user ends before it was restored is signed out, and the host is notified', async () => {
  const { authentication, events, show, disconnecting } = page()
  await show('eip155', reconnecting('eip155:1', '0xa'))
  await show('solana', reconnecting('solana:1', 's'))
  disconnecting.add('eip155:1:0xa')
  await show('eip155', disconnected)
  expect(authentication.calls.map(([, account]) => account)).toEqual(['eip155:1:0xa', 'eip155:10:0xa'])
  expect(events).toEqual([['signOut', { account: 'eip155:1:0xa' }]])
  disconnecting.add('solana:1:s')
  await show('solana', disconnected)
  expect(authentication.calls.at(-1)).toEqual(['setSessions', []])
  expect(events.at(-1)).toEqual(['signOut', { account: 'solana:1:s' }])
})

test('a connection that could not be restored, for example because its wallet is missing, stays signed in', async () => {
  const { authentication, events, show } = page()
  await show('eip155', reconnecting('eip155:1', '0xa'))
  await show('eip155', disconnected)
  expect([authentication.calls, events]).toEqual([[], []])
})

test('an account that is known not to be signed in is not reported when the user disconnects', async () => {
  const { events, show, disconnecting } = page()
  await show('eip155', connected('eip155:1', '0xa'))
  disconnecting.add('eip155:1:0xa')
  await show('eip155', disconnected)
  expect(events).toEqual([])
})

test('after an outage, the sign-out is repeated until it succeeds', async () => {
  const { authentication, show, clock } = page()
  await show('eip155', connected('eip155:1', '0xa'))
  authentication.fail('setSessions', new Error('down'))
  await show('eip155', disconnected)
  await clock.pass(10_000)
  const attempts = authentication.calls.length
  expect(attempts).toBeGreaterThan(2)
  authentication.fail('setSessions', undefined)
  await clock.pass(60_000)
  expect(authentication.calls.length).toBe(attempts + 1)
  await clock.pass(600_000)
  expect(authentication.calls.length).toBe(attempts + 1)
})

test.each(['is connecting', 'has stopped'])('the sign-out is not repeated once the page %s', async (what) => {
  const { authentication, show, clock, stop } = page()
  await show('eip155', connected('eip155:1', '0xa'))
  authentication.fail('setSessions', new Error('down'))
  await show('eip155', disconnected)
  expect(authentication.calls).toHaveLength(1)
  if (what === 'has stopped') stop()
  else await show('solana', { ...disconnected, status: 'connecting' })
  await clock.pass(600_000)
  expect(authentication.calls).toHaveLength(1)
})

test('a sign-out that the server refuses, or that fails ten times, is not repeated', async () => {
  for (const [error, attempts] of [
    [new LatchkeyError('wallet/not-found', { connectorId: 'io.a' }), 1],
    [new Error('down'), 10],
  ] as const) {
    const { authentication, show, clock } = page()
    await show('eip155', connected('eip155:1', '0xa'))
    authentication.fail('setSessions', error)
    await show('eip155', disconnected)
    await clock.pass(3_600_000)
    expect(authentication.calls).toHaveLength(attempts)
  }
})
