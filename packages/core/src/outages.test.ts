import { failure } from '@latchkey/protocol/errors/errorMessages'
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { describe, expect, test } from 'vitest'
import './account/balanceAndIdentity.ts'
import { createLatchkey } from './createLatchkey.ts'
import './latchkeyRuntime.ts'
import './runtime/connectionRuntime.ts'
import type { LatchkeyOptions } from './options.ts'
import { fakeAdapter, fakeClock, fakeConnector, memoryStorage } from './testing/index.ts'

// An outage does not end a session. Latchkey keeps and displays the connection, retries, and restores it when the outage ends.

const account = 'eip155:1:0x1111111111111111111111111111111111111111'
const stored = (connectorId = 'io.a') => ({
  '@latchkey/connection_status': 'connected',
  '@latchkey/active_caip_network_id': 'eip155:1',
  '@latchkey/active_namespace': 'eip155',
  '@latchkey/connected_namespaces': 'eip155',
  '@latchkey/eip155:connected_connector_id': connectorId,
  '@latchkey/connections': JSON.stringify({
    eip155: [{ connectorId, accounts: [{ address: account.slice('eip155:1:'.length) }], caipNetwork: 'eip155:1' }],
  }),
})

/** Loads a page that was connected to a wallet before the outage began. */
async function returned({
  outage,
  options = {},
  storage = memoryStorage(stored()),
  ...more
}: {
  outage?: () => Error | ErrorCode | undefined
  options?: LatchkeyOptions
  storage?: ReturnType<typeof memoryStorage>
  waits?: Promise<unknown>
} = {}) {
  const clock = fakeClock()
  const wallet = fakeConnector({ id: 'io.a', name: 'A', ...(outage && { outage }), ...more })
  const other = fakeConnector({ id: 'io.b', name: 'B', rejects: 'user/rejected' })
  const latchkey = createLatchkey({
    adapters: [fakeAdapter({ wallets: [wallet, other] })],
    clock,
    storage,
    platform: 'desktop',
    logLevel: 'silent',
    ...options,
  })
  const left: unknown[] = []
  latchkey.on('disconnect', (event) => left.push(event))
  const stop = latchkey.start()
  await latchkey.prepare()
  await clock.pass(0)
  return { latchkey, clock, storage, wallet, left, stop }
}

const outages: readonly (readonly [string, Error | ErrorCode])[] = [
  ['a 500 response', new LatchkeyError('http/failed', { status: 500, url: 'https://keys.example' })],
  ['a 502 response from a proxy', new LatchkeyError('http/failed', { status: 502, url: 'https://keys.example' })],
  ['no network', new LatchkeyError('http/unreachable', { url: 'https://keys.example' })],
  ['a captive portal page', new LatchkeyError('http/malformed', { url: 'https://keys.example' })],
  ['a blocked request', new TypeError('Failed to fetch')],
  ['a frame that does not load', failure('frame/unreachable', { afterMs: 20_000 })],
  ['a frame that does not respond', failure('frame/timeout', { method: 'GET_USER', afterMs: 30_000 })],
  ['an error in the frame itself', failure('frame/failed', { message: 'An error occurred' })],
  ['an unreachable server behind the frame', new LatchkeyError('wallet/unreachable', { connectorId: 'ID_AUTH' })],
  ['a relay that is down', failure('relay/unreachable', { address: 'relay.example' })],
  ['a temporary rejection by the relay', failure('relay/failed', { message: 'overloaded' })],
  ['a chunk that cannot be loaded', new TypeError('error loading dynamically imported module')],
  ['a wallet that fails', new LatchkeyError('wallet/failed', { message: 'Internal JSON-RPC error.' })],
  ['unreadable storage', new DOMException('blocked', 'UnknownError')],
]

describe('a reload during an outage', () => {
  test.each(outages)(
    '%s does not end the connection, which has unknown health until it is restored',
    async (_, error) => {
      let down = true
      const { latchkey, clock, storage, left } = await returned({ outage: () => (down ? error : undefined) })
      expect(latchkey.account()).toMatchObject({ status: 'reconnecting', account, health: 'unknown' })
      await clock.pass(300_000)
      expect(latchkey.account()).toMatchObject({ status: 'reconnecting', account, health: 'unknown' })
      expect(storage.all()).toMatchObject(stored())
      down = false
      await clock.pass(60_000)
      expect(latchkey.account()).toMatchObject({ status: 'connected', account, health: 'ok' })
      expect(left).toEqual([])
    },
  )

  test('disconnects the wallet only if the wallet reports that the session has ended', async () => {
    let code: ErrorCode = 'frame/unreachable'
    const { latchkey, clock, storage, wallet } = await returned({ outage: () => code })
    await clock.pass(120_000)
    code = 'wallet/not-authorized'
    await clock.pass(60_000)
    expect(latchkey.account()).toMatchObject({ status: 'disconnected', account: undefined })
    expect(storage.all()['@latchkey/connection_status']).toBe('disconnected')
    const requests = wallet.connectCalls.length
    await clock.pass(600_000)
    expect(wallet.connectCalls).toHaveLength(requests)
  })

  test('retries at increasing intervals, eventually about twice a minute', async () => {
    const { clock, wallet } = await returned({ outage: () => 'http/unreachable' })
    await clock.pass(3_600_000)
    expect(wallet.connectCalls.length).toBeGreaterThan(60)
    expect(wallet.connectCalls.length).toBeLessThan(130)
  })

  test('waits for as long as the server requests before it retries', async () => {
    const { clock, wallet } = await returned({
      outage: () => new LatchkeyError('wallet/unreachable', { connectorId: 'io.a', retryAfterMs: 120_000 }),
    })
    await clock.pass(119_000)
    expect(wallet.connectCalls).toHaveLength(1)
    await clock.pass(1_000)
    expect(wallet.connectCalls).toHaveLength(2)
  })

  test('retries immediately when the user requests it', async () => {
    let down = true
    const { latchkey, clock } = await returned({ outage: () => (down ? 'http/unreachable' : undefined) })
    await clock.pass(200_000)
    down = false
    await latchkey.checkHealth()
    await clock.pass(0)
    expect(latchkey.account().status).toBe('connected')
  })

  test('accepts a late response', async () => {
    let answer = (_?: unknown): void => {}
    const waits = new Promise((resolve) => {
      answer = resolve
    })
    const { latchkey, clock, wallet } = await returned({ waits })
    await clock.pass(30_000)
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', account, health: 'unknown' })
    answer()
    await clock.pass(0)
    expect(latchkey.account()).toMatchObject({ status: 'connected', account })
    expect(wallet.connectCalls).toHaveLength(1)
  })

  test('keeps the connection while the server is only intermittently available', async () => {
    let turn = 0
    const { latchkey, clock, storage } = await returned({ outage: () => (turn++ < 7 ? 'http/unreachable' : undefined) })
    await clock.pass(600_000)
    expect(latchkey.account().status).toBe('connected')
    expect(storage.all()).toMatchObject(stored())
  })

  test('keeps the connection if a different wallet rejects a request during the outage', async () => {
    let down = true
    const { latchkey, clock, storage } = await returned({ outage: () => (down ? 'http/unreachable' : undefined) })
    await expect(latchkey.connect({ connectorId: 'io.b' })).rejects.toMatchObject({ code: 'user/rejected' })
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', account, health: 'unknown' })
    expect(storage.all()).toMatchObject(stored())
    down = false
    await clock.pass(60_000)
    expect(latchkey.account().status).toBe('connected')
  })

  test('stops retrying when the user disconnects, and stays disconnected after a reload', async () => {
    const { latchkey, clock, storage, wallet, stop } = await returned({ outage: () => 'http/unreachable' })
    await latchkey.disconnect()
    expect(latchkey.account().status).toBe('disconnected')
    const requests = wallet.connectCalls.length
    await clock.pass(600_000)
    expect(wallet.connectCalls).toHaveLength(requests)
    stop()
    const again = await returned({ storage })
    expect(again.latchkey.account().status).toBe('disconnected')
  })

  test('does not retry after the page stops the instance', async () => {
    const { clock, wallet, stop } = await returned({ outage: () => 'http/unreachable' })
    stop()
    await clock.pass(600_000)
    expect(wallet.connectCalls).toHaveLength(1)
  })

  test('is not affected if a different tab stops its instance', async () => {
    let down = true
    const storage = memoryStorage(stored())
    const outage = () => (down ? ('http/unreachable' as const) : undefined)
    const first = await returned({ outage, storage })
    const two = await returned({ outage, storage })
    await first.clock.pass(120_000)
    first.stop()
    down = false
    await two.clock.pass(60_000)
    expect(two.latchkey.account().status).toBe('connected')
    expect(storage.all()).toMatchObject(stored())
  })
})
