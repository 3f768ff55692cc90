import { describe, expect, test, vi } from 'vitest'
import type { MultichainConnector } from './adapter.ts'
import { createLatchkey } from './createLatchkey.ts'
import type { Latchkey } from './latchkeyTypes.ts'
import type { LatchkeyOptions } from './options.ts'
import {
  fakeAdapter,
  fakeAuthentication,
  fakeClock,
  fakeConnector,
  fakeNetwork,
  memoryStorage,
} from './testing/index.ts'

/** Creates a page with a WalletConnect connector, which is attached once the connection runtime is loaded. */
function page(
  options: LatchkeyOptions = {},
  stored: Record<string, string> = {},
  connectors: readonly MultichainConnector[] = [],
) {
  const attached = { now: false }
  const remote: MultichainConnector = {
    id: 'walletConnect',
    connectorFor: () => undefined,
    pairing: async () => ({ pair: () => new Promise(() => {}) }),
    attach() {
      attached.now = true
      return () => {
        attached.now = false
      }
    },
  }
  const storage = memoryStorage(stored)
  const wallet = fakeConnector({ id: 'io.a', rdns: 'io.a', name: 'A' })
  const latchkey = createLatchkey({
    adapters: [fakeAdapter({ wallets: [wallet] }), fakeAdapter({ namespace: 'solana', networks: [solana] })],
    wallets: [...connectors, remote],
    clock: fakeClock(),
    storage,
    platform: 'desktop',
    logLevel: 'silent',
    ...options,
  })
  return { latchkey, storage, wallet, attached }
}
const solana = fakeNetwork('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')

/** Starts the instance, and waits until it is ready, without calling anything that loads the connection runtime. */
async function start(latchkey: Latchkey): Promise<() => void> {
  const stop = latchkey.start()
  await vi.waitFor(() => expect(latchkey.state.get().ready).toBe(true))
  return stop
}

describe('on a page where the user has never used a wallet', () => {
  test('the wallets are listed and the modal opens before the connection runtime is loaded', async () => {
    const { latchkey, attached, storage } = page({ customWallets: [{ id: 'otter', name: 'Otter' }] })
    await start(latchkey)
    latchkey.modal.open()
    expect(latchkey.state.get().modal).toMatchObject({ open: true, stack: [{ view: 'Connect' }] })
    expect(latchkey.shown().map(({ name }) => name)).toEqual(['A'])
    expect(latchkey.listed().wallets.map(({ name }) => name)).toEqual(['Otter'])
    expect(latchkey.connectMethods()).toEqual(['wallet'])
    expect(attached.now).toBe(false)
    expect(storage.all()).toEqual({})
  })

  test('prepare() loads the connection runtime, so that connecting begins immediately', async () => {
    const { latchkey, attached } = page()
    const stop = await start(latchkey)
    await latchkey.prepare()
    expect(attached.now).toBe(true)
    const connected = latchkey.connect({ connectorId: 'io.a' })
    expect(latchkey.account().status).toBe('connecting')
    await connected
    stop()
    expect(attached.now).toBe(false)
  })

  test('connecting a wallet and selecting a wallet first load the connection runtime', async () => {
    const connecting = page()
    await start(connecting.latchkey)
    const connected = connecting.latchkey.connect({ connectorId: 'io.a' })
    expect(connecting.latchkey.account()).toMatchObject({ status: 'connecting', connectorId: 'io.a' })
    await connected
    expect(connecting.latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.a' })

    const selecting = page()
    await start(selecting.latchkey)
    selecting.latchkey.modal.open()
    const [row] = selecting.latchkey.shown()
    if (row) selecting.latchkey.pickWallet(row)
    await vi.waitFor(() =>
      expect(selecting.latchkey.state.get().modal.stack.at(-1)).toMatchObject({ view: 'ConnectingExternal' }),
    )
  })

  test('opening the modal for a chain family activates the family immediately and stores it for the next visit', async () => {
    const { latchkey, storage } = page()
    await start(latchkey)
    latchkey.modal.open({ namespace: 'solana' })
    expect(latchkey.state.get().networks).toMatchObject({ active: solana.caipNetworkId, namespace: 'solana' })
    await latchkey.prepare()
    expect(storage.all()).toMatchObject({
      '@latchkey/active_caip_network_id': solana.caipNetworkId,
      '@latchkey/active_namespace': 'solana',
    })
  })

  test('activate() throws, because no wallet is connected', async () => {
    const { latchkey } = page()
    await start(latchkey)
    const activate = () => latchkey.activate({ namespace: 'eip155', connectorId: 'io.a' })
    expect(activate).toThrow(expect.objectContaining({ code: 'wallet/not-found' }))
  })

  test('a call is rejected if the instance is stopped before the connection runtime is loaded, and no connector is attached', async () => {
    const { latchkey, attached, wallet } = page()
    const stop = await start(latchkey)
    const connecting = latchkey.connect({ connectorId: 'io.a' })
    stop()
    await expect(connecting).rejects.toMatchObject({ code: 'app/not-loaded' })
    expect(attached.now).toBe(false)
    expect(wallet.connectCalls).toEqual([])
    expect(latchkey.state.get()).toBe(latchkey.state.initial)
  })

  test('Safe still connects without a click inside the Safe app', async () => {
    const safe = fakeConnector({ id: 'safe', name: 'Safe', type: 'EXTERNAL' })
    const { latchkey } = page({ adapters: [fakeAdapter({ wallets: [safe] })] })
    await start(latchkey)
    await vi.waitFor(() => expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'safe' }))
  })
})

const embedded: MultichainConnector = {
  id: 'ID_AUTH',
  connectorFor: () => undefined,
  wallet: () => Promise.reject(new Error('Login is not available in this test.')),
}
const initialState = { namespace: 'eip155', address: '0xab', chain: 'eip155:1' } as const

test.each<[string, LatchkeyOptions, Record<string, string>]>([
  ['a connection', {}, { '@latchkey/connection_status': 'connected' }],
  ['a disconnection by the user', {}, { '@latchkey/connection_status': 'disconnected' }],
  ['a network', {}, { '@latchkey/active_caip_network_id': 'eip155:1' }],
  ['a chain family', {}, { '@latchkey/active_namespace': 'eip155' }],
  ['recent wallets', {}, { '@latchkey/recent_wallets': '[{"id":"a","name":"A"}]' }],
  ['a redirect to a social login', {}, { '@latchkey/social_provider': 'google' }],
  ['a connection from an instance with an ID', { id: 'two' }, { '@latchkey/two/connection_status': 'connected' }],
  ['a connection from an older modal', {}, { '@appkit/connection_status': 'connected' }],
  ['an account in the state cookie', { initialState }, {}],
  ['nothing, but writes the state cookie', { cookie: true }, {}],
  ['nothing, but renders the modal inline', { embedded: true }, {}],
  ['nothing, but requires sign-in', { signIn: 'required', authentication: fakeAuthentication() }, {}],
])('a page that stored %s loads the connection runtime on start', async (_, options, stored) => {
  const { latchkey, attached } = page(options, stored)
  await start(latchkey)
  expect(attached.now).toBe(true)
})

test.each<[string, MultichainConnector]>([
  ['an embedded wallet', embedded],
  ['a connector without pairing', { id: 'other', connectorFor: () => undefined, attach: () => () => {} }],
])('a page with %s attaches all connectors on start', async (_, connector) => {
  const { latchkey, attached } = page({}, {}, [connector])
  await start(latchkey)
  expect(attached.now).toBe(true)
})

test('if storage cannot be read, the connection runtime is still loaded on start, and the wallets are listed', async () => {
  const { latchkey, storage, attached } = page()
  storage.fail(new Error('blocked'))
  await start(latchkey)
  expect(attached.now).toBe(true)
  expect(latchkey.shown()).toHaveLength(1)
})
