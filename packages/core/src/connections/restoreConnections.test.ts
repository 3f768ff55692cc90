import type { Namespace } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import type { ConnectionState } from '../latchkeyTypes.ts'
import { createRetries } from '../lib/retries.ts'
import { fakeClock, fakeConnector } from '../testing/index.ts'
import { createConnectionRestore } from './restoreConnections.ts'

/** Creates a page with stored connections for `connectorIds`, the first of which was active. */
function page(...connectorIds: readonly [] | readonly [string, ...string[]]) {
  const clock = fakeClock()
  const shown = new Map<Namespace, ConnectionState>()
  const restored: unknown[] = []
  const get = (namespace: Namespace): ConnectionState => shown.get(namespace) ?? { status: 'disconnected' }
  const restore = createConnectionRestore({
    slice: {
      get,
      set: (namespace, next) => shown.set(namespace, next),
      update: (namespace) => shown.set(namespace, { status: 'disconnected' }),
    },
    attempts: new Map(),
    clock,
    retries: createRetries(clock, () => 1),
    log: { info() {} },
    storedChain: () => undefined,
    restored: ({ connector }, { first }) => restored.push([connector.id, first]),
    isConnected: () => false,
    store() {},
    reconnect: true,
  })
  const [connectorId] = connectorIds
  if (connectorId) restore.begin([{ namespace: 'eip155', connectorId, connectorIds, chain: undefined, accounts: [] }])
  return { restore, clock, restored, status: () => get('eip155').status, shown: () => get('eip155') }
}

const never = new Promise<never>(() => {})

test('the wallet that was active on the last visit becomes active, regardless of the order of discovery', async () => {
  const { restore, clock, restored } = page('io.a', 'io.b')
  for (const id of ['io.other', 'io.b', 'io.a']) restore.found(fakeConnector({ id }))
  await clock.pass(0)
  expect(restored).toEqual([
    ['io.b', false],
    ['io.a', true],
  ])
})

test('a wallet that is not discovered in time is shown as disconnected, and is restored if it is discovered later', async () => {
  const { restore, clock, restored, status } = page('io.a')
  expect(status()).toBe('reconnecting')
  await clock.pass(3_000)
  expect(status()).toBe('disconnected')
  restore.found(fakeConnector({ id: 'io.a' }))
  await clock.pass(0)
  expect(restored).toEqual([['io.a', true]])
})

test('after an outage, the error is set and the stored account is kept until the wallet rejects the request', async () => {
  let outage: 'request/aborted' | undefined = 'request/aborted'
  const { restore, clock, shown, status } = page('io.a')
  restore.found(fakeConnector({ id: 'io.a', authorized: false, outage: () => outage }))
  await clock.pass(0)
  expect(shown()).toMatchObject({ status: 'reconnecting', error: { code: 'request/aborted' } })
  outage = undefined
  restore.retry('eip155')
  await clock.pass(0)
  expect(status()).toBe('disconnected')
})

test('restores can be resumed after a new connection request has interrupted them', async () => {
  const { restore, clock, status } = page('io.a')
  const connector = fakeConnector({ id: 'io.a', waits: never })
  restore.found(connector)
  const resume = restore.interrupt('eip155')
  expect(restore.has('eip155', 'io.a')).toBe(false)
  expect(resume()).toBe(true)
  expect([connector.connectCalls.length, status()]).toEqual([2, 'reconnecting'])
  await clock.pass(0)
  expect(page().restore.interrupt('eip155')()).toBe(false)
})

test('the namespace keeps reconnecting until the restores of all its wallets are cancelled', () => {
  const { restore, status } = page('io.a', 'io.b')
  restore.cancel((_, id) => id === 'io.a')
  expect(status()).toBe('reconnecting')
  restore.cancel((_, id) => id === 'io.b')
  expect(status()).toBe('disconnected')
})

test('Safe is restored inside the Safe app even if it was not connected on the last visit', async () => {
  const { restore, clock, restored } = page()
  for (const id of ['io.a', 'safe']) restore.found(fakeConnector({ id }))
  await clock.pass(0)
  expect(restored).toEqual([['safe', true]])
})
