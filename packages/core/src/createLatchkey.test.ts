import { failure } from '@latchkey/protocol/errors/errorMessages'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { socialsAnswerMs } from '@latchkey/protocol/specificationConstants'
import { describe, expect, test, vi } from 'vitest'
import './account/balanceAndIdentity.ts'
import type { ConnectorContext, MultichainConnector, NativeBalance } from './adapter.ts'
import './latchkeyRuntime.ts'
import './runtime/connectionRuntime.ts'
import { createLatchkey } from './createLatchkey.ts'
import type { Latchkey } from './latchkeyTypes.ts'
import { route } from './modal/views.ts'
import type { LatchkeyOptions } from './options.ts'
import { initialState } from './stateCookie.ts'
import {
  adapterTestSuite,
  fakeAdapter,
  fakeClock,
  fakeConnector,
  fakeFetch,
  fakeNetwork,
  memoryStorage,
} from './testing/index.ts'
import './runtime/walletDirectory.ts'
import { offeredSocials } from './login/offeredSocials.ts'

function page(options: LatchkeyOptions = {}, stored: Record<string, string> = {}) {
  const clock = fakeClock()
  const storage = memoryStorage(stored)
  const wallet = fakeConnector({ id: 'io.a', rdns: 'io.a', name: 'A' })
  const latchkey = createLatchkey({
    adapters: [fakeAdapter({ wallets: [wallet] })],
    clock,
    storage,
    platform: 'desktop',
    logLevel: 'silent',
    ...options,
  })
  return { latchkey, clock, storage, wallet }
}
const storedSession = (id = 'io.a', chain = 'eip155:1') => ({
  '@latchkey/connection_status': 'connected',
  '@latchkey/active_caip_network_id': chain,
  '@latchkey/active_namespace': 'eip155',
  '@latchkey/connected_namespaces': 'eip155',
  '@latchkey/eip155:connected_connector_id': id,
  '@latchkey/connections': JSON.stringify({
    eip155: [{ connectorId: id, accounts: [{ address: '0xab' }], caipNetwork: chain }],
  }),
})

describe('a call before the runtime is loaded', () => {
  test('waits until the instance starts, and rejects if the instance is stopped before the runtime is loaded', async () => {
    const { latchkey } = page()
    const early = latchkey.connect({ connectorId: 'nobody' })
    const stop = latchkey.start()
    expect(latchkey.state.get()).toMatchObject({ started: true, ready: false })
    await expect(early).rejects.toMatchObject({ code: 'wallet/not-found' })
    expect(latchkey.state.get()).toMatchObject({ started: true, ready: true })
    stop()

    const again = latchkey.start()
    const late = latchkey.prepare()
    again()
    const error = await late.catch((cause: unknown) => cause)
    expect(isLatchkeyError(error, 'app/not-loaded')).toBe(true)
    expect(latchkey.state.get()).toMatchObject({ started: false, ready: false })
  })
})

describe('an instance', () => {
  test('has no side effects until it is started', async () => {
    const storage = memoryStorage()
    storage.fail(new Error('touched'))
    const clock = fakeClock()
    const adapter = fakeAdapter()
    const server = fakeFetch({})
    const latchkey = createLatchkey({
      adapters: [adapter],
      storage,
      clock,
      fetch: server.fetch,
      server: 'https://s.example',
      projectId: 'p',
    })
    latchkey.state.subscribe(() => {})
    latchkey.shown()
    expect(latchkey.log.entries()).toEqual([])
    expect(adapter.listening).toBe(false)
    expect(clock.waiting).toBe(0)
    expect(server.calls).toEqual([])
    expect(latchkey.state.get()).toBe(latchkey.state.initial)
  })

  test('can be started twice, and cleans up only after it has been stopped twice', async () => {
    const adapter = fakeAdapter({ wallets: [fakeConnector()] })
    const { latchkey, clock } = page({ adapters: [adapter] }, storedSession('io.other'))
    const stops = [latchkey.start(), latchkey.start()]
    await latchkey.prepare()
    expect(clock.waiting).toBeGreaterThan(0)
    stops[0]?.()
    stops[0]?.()
    expect(adapter.listening).toBe(true)
    stops[1]?.()
    expect(adapter.listening).toBe(false)
    expect(clock.waiting).toBe(0)
    expect(latchkey.state.get()).toBe(latchkey.state.initial)
    latchkey.start()
    await latchkey.prepare()
    expect(latchkey.state.get().wallets.connectors).toHaveLength(1)
  })

  test('restores the session when it is restarted', async () => {
    const { latchkey, clock, wallet } = page()
    const stop = latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'io.a' })
    stop()
    expect(wallet.sessions[0]?.ended).toBe(false)
    latchkey.start()
    await latchkey.prepare()
    await clock.pass(0)
    expect(latchkey.account().status).toBe('connected')
    expect(wallet.connectCalls.at(-1)).toEqual({ chain: 'eip155:1', silent: true })
  })

  test('does not affect a second instance on the same page [R3.19]', async () => {
    const storage = memoryStorage()
    const first = page({ storage })
    const two = page({ storage, id: 'two' })
    first.latchkey.start()
    await first.latchkey.prepare()
    two.latchkey.start()
    await two.latchkey.prepare()
    await two.latchkey.connect({ connectorId: 'io.a' })
    expect(first.latchkey.account().status).toBe('disconnected')
    expect(storage.all()['@latchkey/connection_status']).toBeUndefined()
    expect(storage.all()['@latchkey/two/connection_status']).toBe('connected')
  })

  test('has serializable state', async () => {
    const { latchkey } = page()
    latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'io.a' })
    expect(JSON.parse(JSON.stringify(latchkey.state.get())).connections.byNamespace.eip155.status).toBe('connected')
  })
})

describe('connecting', () => {
  test('a rejection leaves the user disconnected and sets the error [R4.3]', async () => {
    const wallet = fakeConnector({ id: 'no', rejects: 'user/rejected' })
    const { latchkey } = page({ adapters: [fakeAdapter({ wallets: [wallet] })] })
    latchkey.start()
    await latchkey.prepare()
    await expect(latchkey.connect({ connectorId: 'no' })).rejects.toMatchObject({ code: 'user/rejected' })
    expect(latchkey.state.get().connections.byNamespace.eip155).toMatchObject({
      status: 'disconnected',
      error: { code: 'user/rejected' },
    })
  })

  test('rejects with wallet/not-found if the wallet is unknown', async () => {
    const { latchkey } = page()
    latchkey.start()
    await latchkey.prepare()
    await expect(latchkey.connect({ connectorId: 'none' })).rejects.toMatchObject({ code: 'wallet/not-found' })
  })

  test('rejects immediately when aborted, and ends a session that opens late', async () => {
    let answer = () => {}
    const wallet = fakeConnector({ id: 'slow', waits: new Promise<void>((resolve) => (answer = resolve)) })
    const { latchkey, clock } = page({ adapters: [fakeAdapter({ wallets: [wallet] })] })
    latchkey.start()
    await latchkey.prepare()
    const controller = new AbortController()
    const connects = latchkey.connect({ connectorId: 'slow', signal: controller.signal })
    controller.abort()
    await expect(connects).rejects.toMatchObject({ code: 'request/aborted' })
    expect(latchkey.state.get().connections.byNamespace.eip155).toEqual({ status: 'disconnected' })
    answer()
    await clock.pass(0)
    expect(wallet.sessions[0]?.ended).toBe(true)
    expect(latchkey.account().status).toBe('disconnected')
  })

  test('a second request in a namespace aborts the first request', async () => {
    const slow = fakeConnector({ id: 'slow', name: 'Slow', waits: new Promise(() => {}) })
    const fast = fakeConnector({ id: 'fast', name: 'Fast' })
    const { latchkey } = page({ adapters: [fakeAdapter({ wallets: [slow, fast] })] })
    latchkey.start()
    await latchkey.prepare()
    const first = latchkey.connect({ connectorId: 'slow' }).catch((error: unknown) => error)
    await latchkey.connect({ connectorId: 'fast' })
    expect(await first).toMatchObject({ code: 'request/aborted' })
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'fast' })
  })

  test('a connected wallet stays connected, even if connecting a second wallet fails', async () => {
    const no = fakeConnector({ id: 'no', name: 'No', rejects: 'user/rejected' })
    const { latchkey, wallet } = page()
    const both = page({ adapters: [fakeAdapter({ wallets: [wallet, no] })] })
    both.latchkey.start()
    await both.latchkey.prepare()
    await both.latchkey.connect({ connectorId: 'io.a' })
    const connects = both.latchkey.connect({ connectorId: 'no' })
    expect(both.latchkey.account().status).toBe('connected')
    await expect(connects).rejects.toMatchObject({ code: 'user/rejected' })
    expect(both.latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.a' })
    latchkey.modal.close()
  })
})

describe('several connected wallets', () => {
  const wallets = () => [
    fakeConnector({ id: 'a', name: 'A', addresses: ['0xa', '0xa2'] }),
    fakeConnector({ id: 'b', name: 'B', addresses: ['0xb'] }),
  ]

  test('stay connected if multiWallet is true, and one of them is active', async () => {
    const [a, b] = wallets()
    const { latchkey } = page({ adapters: [fakeAdapter({ wallets: [a, b] as never })], multiWallet: true })
    latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'a' })
    await latchkey.connect({ connectorId: 'b' })
    expect(latchkey.account().address).toBe('0xb')
    expect(latchkey.state.get().connections.others).toMatchObject([{ connectorId: 'a', namespace: 'eip155' }])
    latchkey.activate({ namespace: 'eip155', connectorId: 'a', account: 'eip155:1:0xa2' })
    expect(latchkey.account()).toMatchObject({ address: '0xa2', connectorId: 'a' })
    await latchkey.disconnect({ connectorId: 'a' })
    expect(latchkey.account()).toMatchObject({ status: 'connected', address: '0xb' })
    expect(a?.sessions[0]?.ended).toBe(true)
  })

  test('are not allowed unless multiWallet is true, so the second wallet replaces the first', async () => {
    const [a, b] = wallets()
    const { latchkey, clock } = page({ adapters: [fakeAdapter({ wallets: [a, b] as never })] })
    latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'a' })
    await latchkey.connect({ connectorId: 'b' })
    await clock.pass(0)
    expect(latchkey.state.get().connections.others).toEqual([])
    expect(a?.sessions[0]?.ended).toBe(true)
  })

  test('are all restored after a reload', async () => {
    const [a, b] = wallets()
    const { latchkey, storage } = page({ adapters: [fakeAdapter({ wallets: [a, b] as never })], multiWallet: true })
    latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'a' })
    await latchkey.connect({ connectorId: 'b' })
    const again = page(
      { adapters: [fakeAdapter({ wallets: [a, b] as never })], multiWallet: true },
      { ...storage.all() },
    )
    again.latchkey.start()
    await again.latchkey.prepare()
    await again.clock.pass(0)
    expect(again.latchkey.account().address).toBe('0xb')
    expect(again.latchkey.state.get().connections.others).toMatchObject([{ connectorId: 'a' }])
  })

  const storedBoth = () => ({
    ...storedSession('a'),
    '@latchkey/connections': JSON.stringify({
      eip155: ['a', 'b'].map((connectorId) => ({ connectorId, accounts: [{ address: '0xb' }] })),
    }),
  })

  test('have the same active wallet after a reload, regardless of the order of discovery', async () => {
    for (const order of [wallets(), wallets().reverse()]) {
      const { latchkey, clock } = page(
        { adapters: [fakeAdapter({ wallets: order as never })], multiWallet: true },
        storedBoth(),
      )
      latchkey.start()
      await latchkey.prepare()
      await clock.pass(0)
      expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'a' })
    }
  })

  test.each(['a', 'b'])('are not restored if the user disconnects while wallet %s is being restored', async (slow) => {
    let answers = (_: unknown) => {}
    const waits = new Promise((resolve) => {
      answers = resolve
    })
    const both = ['a', 'b'].map((id) =>
      fakeConnector({ id, name: id, addresses: ['0xb'], ...(id === slow && { waits }) }),
    )
    const { latchkey, clock, storage } = page(
      { adapters: [fakeAdapter({ wallets: both as never })], multiWallet: true },
      storedBoth(),
    )
    latchkey.start()
    await latchkey.prepare()
    await clock.pass(0)
    await latchkey.disconnect()
    answers(undefined)
    await clock.pass(100)
    expect(latchkey.account().status).toBe('disconnected')
    expect(storage.all()['@latchkey/connection_status']).toBe('disconnected')
  })
})

describe('networks that are added and removed', () => {
  const ids = (latchkey: Latchkey) => latchkey.state.get().networks.known.map(({ caipNetworkId }) => caipNetworkId)

  test('the user can switch to a network that the host adds, and adding a listed network has no effect [R1.13]', async () => {
    const { latchkey } = page()
    latchkey.start()
    await latchkey.connect({ connectorId: 'io.a' })
    await expect(latchkey.switchNetwork('eip155:5')).rejects.toMatchObject({ code: 'network/not-found' })
    await latchkey.addNetwork(fakeNetwork('eip155:5', { name: 'Goerli' }))
    await latchkey.addNetwork(fakeNetwork('eip155:5', { name: 'Another' }))
    expect(ids(latchkey)).toEqual(['eip155:1', 'eip155:10', 'eip155:5'])
    await latchkey.switchNetwork('eip155:5')
    expect(latchkey.network(latchkey.account().chain ?? 'eip155:1')?.name).toBe('Goerli')
    expect(latchkey.state.get().modal.open).toBe(false)
    await expect(latchkey.addNetwork(fakeNetwork('solana:x'))).rejects.toMatchObject({ code: 'network/unsupported' })
  })

  test('removing the active network activates a different one, and a family’s last network is not removed [R1.13]', async () => {
    const { latchkey, wallet } = page()
    latchkey.start()
    const { networks } = latchkey.state.get()
    await latchkey.removeNetwork('eip155:999')
    expect(latchkey.state.get().networks).toBe(networks)
    await latchkey.removeNetwork('eip155:1')
    expect([ids(latchkey), latchkey.state.get().networks.active]).toEqual([['eip155:10'], 'eip155:10'])
    await latchkey.removeNetwork('eip155:10')
    expect([ids(latchkey), latchkey.supports('eip155:1')]).toEqual([['eip155:10'], false])
    await latchkey.connect({ connectorId: 'io.a' })
    expect(wallet.connectCalls).toEqual([{ chain: 'eip155:10' }])
  })
})

test('if the network changes while the modal offers to connect a wallet for another chain family, the modal closes [R1.13]', async () => {
  const { latchkey } = page()
  latchkey.start()
  await latchkey.connect({ connectorId: 'io.a' })
  latchkey.modal.open({ view: route('SwitchActiveChain', { namespace: 'solana' }) })
  await latchkey.switchNetwork('eip155:10')
  expect(latchkey.state.get().modal.open).toBe(false)
})

describe('a returning user', () => {
  test.each([
    { listed: ['eip155:10', 'eip155:1'] as const, params: { chain: 'eip155:10' } },
    { listed: [] as const, params: {} },
  ])(
    'can connect even if the host’s networks do not include the stored network: $listed',
    async ({ listed, params }) => {
      const wallet = fakeConnector({ id: 'io.a', name: 'A' })
      const networks = listed.map((id) => fakeNetwork(id))
      const { latchkey } = page(
        { adapters: [fakeAdapter({ wallets: [wallet], networks })] },
        { '@latchkey/active_caip_network_id': 'eip155:999', '@latchkey/active_namespace': 'eip155' },
      )
      latchkey.start()
      await latchkey.prepare()
      await latchkey.connect({ connectorId: 'io.a' })
      expect(wallet.connectCalls).toEqual([params])
    },
  )

  test.each([
    { listed: ['eip155:1', 'eip155:10'] as const, params: { chain: 'eip155:10', silent: true } },
    { listed: ['eip155:1', 'eip155:5'] as const, params: { silent: true } },
  ])(
    'is reconnected on the most recently used network if the host supports it and the wallet does not store it: $listed [R3.17]',
    async ({ listed, params }) => {
      const storage = memoryStorage()
      const networks = [fakeNetwork('eip155:1'), fakeNetwork('eip155:10')]
      const first = page({
        adapters: [fakeAdapter({ wallets: [fakeConnector({ id: 'io.a', name: 'A' })], networks })],
        storage,
      })
      const stop = first.latchkey.start()
      await first.latchkey.prepare()
      await first.latchkey.connect({ connectorId: 'io.a' })
      await first.latchkey.switchNetwork('eip155:10')
      stop()
      const wallet = fakeConnector({ id: 'io.a', name: 'A' })
      const { latchkey, clock } = page({
        adapters: [fakeAdapter({ wallets: [wallet], networks: listed.map((id) => fakeNetwork(id)) })],
        storage,
      })
      latchkey.start()
      await latchkey.prepare()
      await clock.pass(0)
      expect(wallet.connectCalls).toEqual([params])
      expect(latchkey.account().chain).toBe(params.chain ?? 'eip155:1')
    },
  )

  test('is shown as reconnecting until the stored session is restored without a prompt', async () => {
    const { latchkey, clock, wallet } = page({}, storedSession())
    const reconnects: boolean[] = []
    latchkey.on('connect', ({ reconnect }) => reconnects.push(reconnect))
    latchkey.start()
    await latchkey.prepare()
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', account: 'eip155:1:0xab' })
    await clock.pass(0)
    expect(latchkey.account().status).toBe('connected')
    expect(wallet.connectCalls).toEqual([{ chain: 'eip155:1', silent: true }])
    expect(reconnects).toEqual([true])
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test('is reconnected when the wallet is discovered, and is shown as disconnected if discovery takes too long', async () => {
    const adapter = fakeAdapter()
    const late = page({ adapters: [adapter] }, storedSession())
    late.latchkey.start()
    await late.latchkey.prepare()
    await late.clock.pass(2000)
    adapter.announce(late.wallet)
    await late.clock.pass(0)
    expect(late.latchkey.account().status).toBe('connected')

    const never = page({ adapters: [fakeAdapter()] }, storedSession())
    never.latchkey.start()
    await never.latchkey.prepare()
    await never.clock.pass(3000)
    expect(never.latchkey.account().status).toBe('disconnected')
    // The connection stays stored, because the wallet has not revoked access. The next page load tries to restore it again.
    expect(never.storage.all()).toMatchObject(storedSession())
  })

  test('sees Connect in an open modal if the wallet is not discovered in time', async () => {
    const { latchkey, clock } = page({ adapters: [fakeAdapter()] }, storedSession())
    latchkey.start()
    await latchkey.prepare()
    latchkey.modal.open()
    expect(latchkey.state.get().modal.stack.map(({ view }) => view)).toEqual(['Account'])
    await clock.pass(3000)
    expect(latchkey.account().status).toBe('disconnected')
    const { open, stack } = latchkey.state.get().modal
    expect([open, ...stack.map(({ view }) => view)]).toEqual([true, 'Connect'])
  })

  test('is disconnected without an error if the wallet has revoked access', async () => {
    const wallet = fakeConnector({ id: 'io.a', authorized: false })
    const { latchkey, clock } = page({ adapters: [fakeAdapter({ wallets: [wallet] })] }, storedSession())
    latchkey.start()
    await latchkey.prepare()
    await clock.pass(0)
    expect(latchkey.account().status).toBe('disconnected')
    expect(latchkey.state.get().connections.byNamespace.eip155).not.toHaveProperty('error')
  })

  test('keeps the account if the wallet does not respond, and sees an error after ten seconds', async () => {
    const wallet = fakeConnector({ id: 'io.a', waits: new Promise(() => {}) })
    const { latchkey, clock } = page({ adapters: [fakeAdapter({ wallets: [wallet] })] }, storedSession())
    latchkey.start()
    await latchkey.prepare()
    await clock.pass(9999)
    expect(latchkey.account().status).toBe('reconnecting')
    await clock.pass(1)
    expect(latchkey.state.get().connections.byNamespace.eip155).toMatchObject({
      status: 'reconnecting',
      error: { code: 'wallet/unresponsive' },
    })
    expect(latchkey.account()).toMatchObject({ account: 'eip155:1:0xab', health: 'unknown' })
  })

  test('can connect again once a request to the wallet has timed out after five minutes [R9.15]', async () => {
    let answers = (): void => {}
    const waits = new Promise<void>((resolve) => {
      answers = resolve
    })
    const wallet = fakeConnector({ id: 'io.a', waits })
    const { latchkey, clock } = page({ adapters: [fakeAdapter({ wallets: [wallet] })] })
    latchkey.start()
    await latchkey.prepare()
    const requests = latchkey.connect({ connectorId: 'io.a' }).catch((error: unknown) => error)
    await clock.pass(299_999)
    expect(latchkey.account().status).toBe('connecting')
    await clock.pass(1)
    expect(await requests).toMatchObject({ code: 'wallet/unresponsive' })
    expect(latchkey.account().status).toBe('disconnected')
    answers()
    await latchkey.connect({ connectorId: 'io.a' })
    await clock.pass(300_000)
    expect(latchkey.account().status).toBe('connected')
  })

  test('who disconnected stays disconnected after a reload', async () => {
    const { latchkey, storage, wallet } = page()
    latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.disconnect()
    const again = page({}, { ...storage.all() })
    again.latchkey.start()
    await again.latchkey.prepare()
    await again.clock.pass(5000)
    expect(again.latchkey.account().status).toBe('disconnected')
    expect(again.wallet.connectCalls).toEqual([])
    expect(wallet.sessions[0]?.ended).toBe(true)
  })

  test('is not reconnected if reconnect is false, and the stored connection is cleared', async () => {
    const { latchkey, clock, storage, wallet } = page({ reconnect: false }, storedSession())
    latchkey.start()
    await latchkey.prepare()
    await clock.pass(5000)
    expect(wallet.connectCalls).toEqual([])
    expect(storage.all()['@latchkey/connection_status']).toBe('disconnected')
    expect(storage.all()['@latchkey/eip155:connected_connector_id']).toBeUndefined()
  })

  test('on an unsupported network is reconnected, and the modal does not open', async () => {
    const wallet = fakeConnector({ id: 'io.a', chain: 'eip155:999' })
    const { latchkey, clock } = page(
      { adapters: [fakeAdapter({ wallets: [wallet] })] },
      storedSession('io.a', 'eip155:999'),
    )
    latchkey.start()
    await latchkey.prepare()
    await clock.pass(0)
    expect(latchkey.account()).toMatchObject({ status: 'connected', chain: 'eip155:999' })
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test('who opens the page inside the Safe app is connected automatically', async () => {
    const safe = fakeConnector({ id: 'safe', name: 'Safe', type: 'EXTERNAL' })
    const { latchkey, clock } = page({ adapters: [fakeAdapter({ wallets: [safe] })] })
    latchkey.start()
    await latchkey.prepare()
    await clock.pass(0)
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'safe' })
  })
})

describe('the initial network', () => {
  const networks = ['eip155:1', 'eip155:10', 'eip155:137'].map((chain) => fakeNetwork(chain as 'eip155:1'))
  const first = async (options: LatchkeyOptions, stored: Record<string, string> = {}) => {
    const { latchkey } = page(
      { adapters: [fakeAdapter({ networks }), fakeAdapter({ namespace: 'solana' })], ...options },
      stored,
    )
    latchkey.start()
    await latchkey.prepare()
    return latchkey.state.get().networks.active
  }
  test.each<[string, LatchkeyOptions, Record<string, string>, string]>([
    ['the stored network', {}, { '@latchkey/active_caip_network_id': 'eip155:137' }, 'eip155:137'],
    [
      'the stored network, even if the host does not list it',
      {},
      { '@latchkey/active_caip_network_id': 'eip155:999999' },
      'eip155:999999',
    ],
    [
      'the first listed network if there is no adapter for the stored network',
      {},
      { '@latchkey/active_caip_network_id': 'bip122:x' },
      'eip155:1',
    ],
    ['the default network', { defaultNetwork: 'eip155:10' }, {}, 'eip155:10'],
    ['the first listed network if there is no default network', {}, {}, 'eip155:1'],
    ['the first listed network in the stored family', {}, { '@latchkey/active_namespace': 'solana' }, 'solana:1'],
  ])('is %s [R1.13]', async (_, options, stored, expected) => {
    expect(await first(options, stored)).toBe(expected)
  })
})

describe('changes made by a wallet', () => {
  test('to its accounts, chain, health or session update the state and the storage, and emit events', async () => {
    const { latchkey, wallet, storage } = page()
    latchkey.start()
    await latchkey.prepare()
    const events: unknown[] = []
    latchkey.on('accounts', ({ accounts }) => events.push(accounts))
    latchkey.on('chain', ({ chain, supported }) => events.push([chain, supported]))
    latchkey.on('disconnect', ({ namespace }) => events.push(namespace))
    await latchkey.connect({ connectorId: 'io.a' })
    const [session] = wallet.sessions
    session?.change({ accounts: ['0xcd'] })
    session?.change({ chain: 'eip155:10' })
    expect(latchkey.account()).toMatchObject({ account: 'eip155:10:0xcd', chain: 'eip155:10' })
    expect(latchkey.state.get().networks.active).toBe('eip155:10')
    expect(storage.all()['@latchkey/active_caip_network_id']).toBe('eip155:10')
    expect(storage.all()['@latchkey/connections']).toContain('0xcd')
    session?.change({ health: 'silent' })
    expect(latchkey.account().health).toBe('silent')
    await latchkey.checkHealth()
    expect(latchkey.account().health).toBe('ok')
    session?.leave()
    expect(latchkey.account().status).toBe('disconnected')
    expect(events).toEqual([['eip155:1:0xcd'], ['eip155:10', true], 'eip155'])
  })

  test('that is not active update only its entry among the other connections', async () => {
    const a = fakeConnector({ id: 'a', name: 'A', addresses: ['0xa'] })
    const b = fakeConnector({ id: 'b', name: 'B', addresses: ['0xb'] })
    const { latchkey } = page({ adapters: [fakeAdapter({ wallets: [a, b] })], multiWallet: true })
    latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'a' })
    await latchkey.connect({ connectorId: 'b' })
    a.sessions[0]?.change({ accounts: ['0xa3'], chain: 'eip155:10' })
    expect(latchkey.account()).toMatchObject({ address: '0xb', chain: 'eip155:1' })
    expect(latchkey.state.get().connections.others).toMatchObject([{ accounts: ['eip155:10:0xa3'] }])
  })
})

test('an event reaches all listeners, even if one listener throws', async () => {
  const { latchkey } = page()
  latchkey.start()
  await latchkey.prepare()
  const namespaces: string[] = []
  latchkey.on('connect', () => {
    throw new Error('host')
  })
  latchkey.on('connect', ({ namespace }) => namespaces.push(namespace))
  await latchkey.connect({ connectorId: 'io.a' })
  expect(namespaces).toEqual(['eip155'])
})

describe('switching networks', () => {
  test('sends a request to the family’s wallet, or only sets the active network if no wallet is connected [R1.13]', async () => {
    const { latchkey } = page()
    latchkey.start()
    await latchkey.prepare()
    await latchkey.switchNetwork('eip155:10')
    expect(latchkey.state.get().networks.active).toBe('eip155:10')
    await latchkey.connect({ connectorId: 'io.a' })
    expect(latchkey.account().chain).toBe('eip155:10')
    await latchkey.switchNetwork('eip155:1')
    expect(latchkey.session()?.chain).toBe('eip155:1')
  })

  test.each<[string, Parameters<typeof fakeConnector>[0], string]>([
    ['the wallet cannot switch networks', { switches: false }, 'wallet/unsupported'],
    ['the user rejects the request', { switches: 'user/rejected' }, 'user/rejected'],
  ])('changes nothing if %s [R1.13]', async (_, params, code) => {
    const wallet = fakeConnector({ id: 'x', ...params })
    const { latchkey } = page({ adapters: [fakeAdapter({ wallets: [wallet] })] })
    latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'x' })
    await expect(latchkey.switchNetwork('eip155:10')).rejects.toMatchObject({ code })
    expect(latchkey.state.get().networks.active).toBe('eip155:1')
  })
})

describe('disconnecting', () => {
  test('a wallet in one family disconnects all families that share its connection', async () => {
    const evm = fakeConnector({ id: 'walletConnect', name: 'WalletConnect', type: 'WALLET_CONNECT' })
    const sol = fakeConnector({
      id: 'walletConnect',
      name: 'WalletConnect',
      type: 'WALLET_CONNECT',
      namespace: 'solana',
    })
    const { latchkey } = page({
      adapters: [fakeAdapter({ wallets: [evm] }), fakeAdapter({ namespace: 'solana', wallets: [sol] })],
    })
    latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'walletConnect', namespace: 'eip155' })
    await latchkey.connect({ connectorId: 'walletConnect', namespace: 'solana' })
    await latchkey.disconnect({ namespace: 'eip155' })
    expect(latchkey.account('eip155').status).toBe('disconnected')
    expect(latchkey.account('solana').status).toBe('disconnected')
  })

  test('ends the other wallets’ sessions even if one wallet fails to disconnect', async () => {
    const bad = fakeConnector({ id: 'bad', name: 'Bad', endFails: 'no' })
    const good = fakeConnector({ id: 'good', name: 'Good', namespace: 'solana' })
    const { latchkey } = page({
      adapters: [fakeAdapter({ wallets: [bad] }), fakeAdapter({ namespace: 'solana', wallets: [good] })],
    })
    latchkey.start()
    await latchkey.prepare()
    await latchkey.connect({ connectorId: 'bad' })
    await latchkey.connect({ connectorId: 'good' })
    await expect(latchkey.disconnect()).rejects.toThrow('Failed to disconnect')
    expect(good.sessions[0]?.ended).toBe(true)
    expect(latchkey.account('solana').status).toBe('disconnected')
  })
})

describe('a multichain connector', () => {
  test('provides a connector for each chain family', async () => {
    const bridge = {
      id: 'walletConnect',
      connectorFor: ({ namespace }: { namespace: 'eip155' | 'solana' }) =>
        fakeConnector({ id: 'walletConnect', name: 'WalletConnect', type: 'WALLET_CONNECT', namespace }),
    }
    const { latchkey } = page({
      adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })],
      wallets: [bridge as never],
    })
    latchkey.start()
    await latchkey.prepare()
    expect(latchkey.shown()).toMatchObject([
      { name: 'WalletConnect', type: 'MULTI_CHAIN', members: [{ namespace: 'eip155' }, { namespace: 'solana' }] },
    ])
  })
})

describe('on a server', () => {
  test('the account from the state cookie is available immediately and marked as reconnecting', async () => {
    const shown = initialState('a=1; latchkey-state=eip155%3A10%7C0xAb12; b=2')
    expect(shown).toEqual({ namespace: 'eip155', chain: 'eip155:10', address: '0xAb12' })
    const { latchkey } = page({ ...(shown && { initialState: shown }) })
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', account: 'eip155:10:0xAb12' })
    expect(latchkey.state.get().networks.active).toBe('eip155:10')
    latchkey.start()
    await latchkey.prepare()
    expect(latchkey.account().status).toBe('disconnected')
  })

  test.each([
    undefined,
    '',
    'latchkey-state=%',
    'latchkey-state=',
    'latchkey-state=doge%3A1%7C0x1',
    'latchkey-state=eip155%3A1%7C0x1%7Cmore',
    'latchkey-state=eip155%3A1%7C%3Cscript%3E',
    'not-latchkey-state=eip155%3A1%7C0x1',
  ])('an invalid cookie is ignored: %s', async (header) => {
    expect(initialState(header)).toBeUndefined()
  })

  test('a second instance uses a different cookie', async () => {
    expect(initialState('latchkey-state-two=eip155%3A1%7C0x1', 'two')?.address).toBe('0x1')
    expect(initialState('latchkey-state=eip155%3A1%7C0x1', 'two')).toBeUndefined()
  })
})

describe('after a transaction', () => {
  test('the balance is read several times without using the cache', async () => {
    const wallet = fakeConnector({ id: 'io.a' })
    const adapter = fakeAdapter({ wallets: [wallet], balance: () => ({ value: 1n, decimals: 18, symbol: 'ETH' }) })
    const clock = fakeClock()
    const latchkey = createLatchkey({ adapters: [adapter], clock, storage: memoryStorage(), logLevel: 'silent' })
    const stop = latchkey.start()
    await latchkey.connect({ connectorId: 'io.a' })
    await clock.pass(0)
    await latchkey.refresh()
    const balances = () => adapter.reads.filter((read) => read.startsWith('balance')).length
    expect(balances()).toBe(1)
    wallet.sessions[0]?.sent()
    await clock.pass(0)
    await latchkey.refresh()
    expect(balances()).toBe(2)
    await clock.pass(2_000)
    await latchkey.refresh()
    expect(balances()).toBe(3)
    await clock.pass(8_000)
    await latchkey.refresh()
    expect(balances()).toBe(4)
    stop()
  })
})

describe('balance polling', () => {
  async function watched(balance: () => NativeBalance) {
    const wallet = fakeConnector({ id: 'io.a' })
    const adapter = fakeAdapter({ wallets: [wallet], balance })
    const clock = fakeClock()
    const latchkey = createLatchkey({ adapters: [adapter], clock, storage: memoryStorage(), logLevel: 'silent' })
    const stop = latchkey.start()
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.refresh()
    const reads = () => adapter.reads.filter((read) => read.startsWith('balance')).length
    return {
      latchkey,
      wallet,
      clock,
      reads,
      stop,
      async pass(seconds: number) {
        for (let passed = 0; passed < seconds; passed += 10) {
          await clock.pass(10_000)
          // Let pending requests finish before the clock advances again.
          await new Promise((resolve) => setTimeout(resolve))
        }
      },
    }
  }
  const coin = { value: 1n, decimals: 18, symbol: 'ETH' }

  test('runs every 30 s, and every 10 s while the account view is open [R9.14]', async () => {
    const { latchkey, reads, pass, stop } = await watched(() => coin)
    expect(reads()).toBe(1)
    await pass(20)
    expect(reads()).toBe(1)
    await pass(40)
    expect(reads()).toBe(3)
    latchkey.modal.open({ view: route('Account') })
    await pass(30)
    expect(reads()).toBe(6)
    latchkey.modal.close()
    await pass(30)
    expect(reads()).toBe(7)
    stop()
  })

  test('pauses while the page is hidden [R9.14]', async () => {
    const { reads, pass, stop } = await watched(() => coin)
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'hidden' }))
    try {
      await pass(120)
    } finally {
      vi.unstubAllGlobals()
    }
    expect(reads()).toBe(1)
    await pass(10)
    expect(reads()).toBe(2)
    stop()
  })

  test('pauses for 30 s after a failure, unless the user retries [R4.17 R9.12]', async () => {
    let fails = true
    const { latchkey, reads, pass, stop } = await watched(() => {
      if (fails) throw new Error('The node is down.')
      return coin
    })
    latchkey.modal.open({ view: route('Account') })
    await pass(20)
    await latchkey.refresh()
    expect(reads()).toBe(1)
    await pass(10)
    expect(reads()).toBe(2)
    // The second attempt also failed, so polling pauses for another 30 s.
    await pass(10)
    await latchkey.refresh()
    expect(reads()).toBe(2)
    fails = false
    await latchkey.refresh({ force: true })
    expect(reads()).toBe(3)
    expect(latchkey.state.get().account.balance).toEqual({ status: 'ready', value: coin })
    // The pause has ended, so the account view polls every 10 s again.
    await pass(20)
    expect(reads()).toBe(5)
    stop()
  })

  test('stops after a 503 response until a different account is active or the user retries [R8.13]', async () => {
    let fails = true
    const { latchkey, wallet, reads, pass, stop } = await watched(() => {
      if (fails) throw new Error('It failed.', { cause: Object.assign(new Error('503'), { status: 503 }) })
      return coin
    })
    await pass(300)
    expect(reads()).toBe(1)
    // Opening the account view does not resume polling.
    latchkey.modal.open({ view: route('Account') })
    await pass(300)
    expect(reads()).toBe(1)
    latchkey.modal.close()
    wallet.sessions[0]?.change({ accounts: ['0xcd'] })
    await latchkey.refresh()
    expect(reads()).toBe(2)
    await pass(300)
    expect(reads()).toBe(2)
    fails = false
    await latchkey.refresh({ force: true })
    await pass(30)
    expect(reads()).toBe(4)
    stop()
  })
})

describe('balance polling after an error from the service', () => {
  const withStatus = (status: number) => Object.assign(new Error(`HTTP ${status}`), { status })
  const failing = (status: number): readonly Error[] => [
    withStatus(status),
    new LatchkeyError('http/failed', { status, url: 'https://rpc.example' }),
    new Error('It failed.', { cause: new Error('Request failed', { cause: withStatus(status) }) }),
    new Error('It failed.', {
      cause: new LatchkeyError('http/failed', { status, url: 'https://rpc.example' }),
    }),
  ]
  async function readsAfter(error: Error): Promise<number> {
    const wallet = fakeConnector({ id: 'io.a' })
    const adapter = fakeAdapter({
      wallets: [wallet],
      balance() {
        throw error
      },
    })
    const clock = fakeClock()
    const latchkey = createLatchkey({ adapters: [adapter], clock, storage: memoryStorage(), logLevel: 'silent' })
    const stop = latchkey.start()
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.refresh()
    for (let passed = 0; passed < 60; passed += 10) {
      await clock.pass(10_000)
      await new Promise((resolve) => setTimeout(resolve))
    }
    expect(latchkey.state.get().account.balance.status).toBe('failed')
    stop()
    return adapter.reads.filter((read) => read.startsWith('balance')).length
  }

  test('stops if the status is 503, regardless of how the adapter wraps the error [R8.13]', async () => {
    for (const error of failing(503)) expect(await readsAfter(error)).toBe(1)
  })

  test.each([403, 429, 500, 502, 504])('resumes after a pause if the status is %i [R8.13]', async (status) => {
    for (const error of failing(status)) expect(await readsAfter(error)).toBe(3)
  })
})

describe('the adapter test suite', () => {
  const subject = () => {
    let refuses = false
    let knows = true
    const willing = fakeConnector({ id: 'io.a' })
    const connector = {
      ...willing,
      connect: (params: Parameters<typeof willing.connect>[0]) =>
        (refuses
          ? fakeConnector({ rejects: 'user/rejected' })
          : knows
            ? willing
            : fakeConnector({ authorized: false })
        ).connect(params),
    }
    return {
      adapter: fakeAdapter({ wallets: [connector] }),
      connectorId: 'io.a',
      refuse: () => void (refuses = true),
      forget: () => void (knows = false),
      changeAccount: () => willing.sessions[0]?.ended || willing.sessions[0]?.change({ accounts: ['0xcd'] }),
      changeChain: () => willing.sessions[0]?.ended || willing.sessions[0]?.change({ chain: 'eip155:10' }),
    }
  }
  for (const { name, run } of adapterTestSuite(subject as never))
    test(`the fake adapter passes the adapter test suite: ${name}`, run)
})

/** Creates a page with the embedded wallet. `setSocials` reports social logins as the frame would. */
async function pageWithLogins(options: LatchkeyOptions = {}) {
  let host: ConnectorContext | undefined
  const bridge: MultichainConnector = {
    id: 'ID_AUTH',
    connectorFor: () => fakeConnector({ id: 'ID_AUTH', name: 'Email', type: 'AUTH' }),
    attach(now) {
      host = now
      return () => {}
    },
    ...(options.server && { wallet: () => Promise.reject(new Error('Login is not available in this test.')) }),
  }
  const { latchkey, clock } = page({ wallets: [bridge], ...options })
  latchkey.start()
  await latchkey.prepare()
  return { latchkey, clock, host: () => host, setSocials: (socials: readonly string[]) => host?.socials(socials) }
}

test('requests to nodes use the `fetch` option', async () => {
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    urls.push(String(input))
    return new Response()
  }
  const fetchers: (typeof fetch | undefined)[] = []
  const adapter = {
    ...fakeAdapter({ wallets: [fakeConnector({ id: 'io.a', name: 'A' })] }),
    balance: async (params: { fetch?: typeof fetch }): Promise<NativeBalance> => {
      fetchers.push(params.fetch)
      return { value: 1n, decimals: 18, symbol: 'ETH' }
    },
  }
  for (const options of [{ adapters: [adapter], fetch }, { adapters: [adapter] }]) {
    const { latchkey, host } = await pageWithLogins(options)
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.refresh({ force: true })
    if ('fetch' in options) {
      await host()?.fetch('https://node.example')
      await fetchers.at(-1)?.('https://rpc.example')
    }
  }
  expect(fetchers.filter(Boolean)).toHaveLength(1)
  expect(fetchers.at(-1)).toBeUndefined()
  expect(urls).toEqual(['https://node.example', 'https://rpc.example'])
})

describe('social logins', () => {
  test('that the host lists are all offered until the frame reports which of them are available [R9.11]', async () => {
    const { latchkey, setSocials } = await pageWithLogins({ features: { socials: ['x', 'farcaster', 'google'] } })
    const offered = () => offeredSocials(latchkey.options, latchkey.state.get().wallets)
    expect(offered()).toEqual(['x', 'farcaster', 'google'])
    setSocials(['google', 'farcaster', 'github'])
    expect(offered()).toEqual(['farcaster', 'google'])
    expect(latchkey.connectMethods()).toEqual(['wallet', 'email', 'social'])
    // The frame reports no logins if the server has none or if the page is cross-site.
    setSocials([])
    expect(latchkey.connectMethods()).toEqual(['wallet', 'email'])
  })

  const atServer = (project: () => unknown) => {
    const server = fakeFetch({ '/projects/v1/origins': project, '/getWallets': () => ({ data: [], count: 0 }) })
    const options = { server: 'https://connect.example', projectId: 'shop', fetch: server.fetch }
    const setSocials = (latchkey: Latchkey) => {
      const { socials } = latchkey.state.get().wallets
      return socials === 'loading' ? socials : offeredSocials(latchkey.options, { socials }).join()
    }
    return { server, options, setSocials }
  }
  const all = 'google,apple,x,discord,github,facebook,farcaster'

  test('are requested from the server when Connect first opens', async () => {
    const { server, options, setSocials } = atServer(() => ({ allowedOrigins: [], socials: ['github', 'farcaster'] }))
    const { latchkey } = await pageWithLogins({ ...options, features: { socials: ['farcaster', 'google', 'github'] } })
    expect(server.calls).toEqual([])
    latchkey.modal.open()
    expect(setSocials(latchkey)).toBe('loading')
    await vi.waitFor(() => expect(setSocials(latchkey)).toBe('farcaster,github'))
    expect(server.to('/projects/v1/origins')).toHaveLength(1)
  })

  test('are not offered if the server supports no social logins [R9.11]', async () => {
    const { options } = atServer(() => ({ allowedOrigins: [], socials: [] }))
    const { latchkey } = await pageWithLogins(options)
    latchkey.modal.open()
    await vi.waitFor(() => expect(latchkey.connectMethods()).toEqual(['wallet', 'email']))
  })

  test.each([
    ['does not return a list', () => ({ allowedOrigins: [] })],
    ['returns an invalid list', () => ({ allowedOrigins: [], socials: 'all' })],
    ['responds with an error', () => new Response('', { status: 503 })],
  ])('that the host lists are all offered if the server %s', async (_, project) => {
    const { options, setSocials } = atServer(project)
    const { latchkey } = await pageWithLogins(options)
    latchkey.modal.open()
    await vi.waitFor(() => expect(setSocials(latchkey)).toBe(all))
  })

  test('that the host lists are all offered if the server hangs, and a late response takes effect once Connect is closed', async () => {
    let answer = (_: unknown): void => {}
    const { options, setSocials } = atServer(() => new Promise((resolve) => (answer = resolve)))
    const { latchkey, clock } = await pageWithLogins(options)
    latchkey.modal.open()
    await clock.pass(socialsAnswerMs)
    expect(setSocials(latchkey)).toBe(all)
    answer({ allowedOrigins: [], socials: ['x'] })
    await clock.pass(0)
    expect(setSocials(latchkey)).toBe(all)
    latchkey.modal.close()
    await vi.waitFor(() => expect(setSocials(latchkey)).toBe('x'))
  })

  test('reported by the frame take precedence over those reported by the server', async () => {
    const { options, setSocials } = atServer(() => ({ allowedOrigins: [], socials: ['x', 'github'] }))
    const { latchkey, setSocials: frameSays } = await pageWithLogins(options)
    frameSays([])
    latchkey.modal.open()
    await (await latchkey.directory())?.socials()
    expect(setSocials(latchkey)).toBe('')
  })

  test('do not change while they are displayed', async () => {
    const { latchkey, setSocials } = await pageWithLogins()
    latchkey.modal.open()
    setSocials([])
    expect(latchkey.connectMethods()).toContain('social')
    latchkey.modal.push('ConnectSocials')
    expect(latchkey.connectMethods()).toContain('social')
    latchkey.modal.push('WhatIsAWallet')
    latchkey.modal.back()
    latchkey.modal.back()
    expect(latchkey.connectMethods()).toEqual(['wallet', 'email'])
  })
})

test('if the page is focused, a request opens the wallet app whose link is stored; otherwise, it logs a warning [R8.3]', async () => {
  const opened: string[] = []
  let focused = true
  const fakeWindow = {
    document: { hasFocus: () => focused },
    navigator: { userAgent: 'Mozilla/5.0 (Linux; Android 15) Mobile', maxTouchPoints: 5 },
    location: { hash: '', href: 'https://shop.example/', origin: 'https://shop.example' },
    open: (url: string) => void opened.push(url),
  }
  vi.stubGlobal('window', Object.assign(fakeWindow, { parent: fakeWindow }))
  try {
    const requests = async (stored: Record<string, string>) => {
      let host: ConnectorContext | undefined
      const bridge: MultichainConnector = {
        id: 'walletConnect',
        connectorFor: () => undefined,
        pairing: async () => ({ pair: () => new Promise(() => {}) }),
        attach(now) {
          host = now
          return () => {}
        },
      }
      const { latchkey } = page({ wallets: [bridge], platform: 'mobile' }, stored)
      latchkey.start()
      await latchkey.prepare()
      return { latchkey, ask: (requestId: number) => host?.waiting({ requestId, topic: 'ab' }) }
    }
    const none = await requests({})
    none.ask(6)
    const { latchkey, ask } = await requests({
      WALLETCONNECT_DEEPLINK_CHOICE: JSON.stringify({ href: 'pocket://', name: 'Pocket' }),
    })
    ask(7)
    await vi.waitFor(() => expect(opened).toHaveLength(1), { timeout: 20_000 })
    focused = false
    ask(8)
    const last = () => latchkey.log.entries().at(-1)
    await vi.waitFor(() => expect(last()?.text).toContain('"pocket://"'), { timeout: 20_000 })
    expect(last()?.level).toBe('warn')
    expect(opened).toEqual(['pocket://wc?requestId=7&sessionTopic=ab'])
  } finally {
    vi.unstubAllGlobals()
  }
})

describe('errors reported by a multichain connector', () => {
  test.each([
    [failure('relay/session-expired'), { code: 'relay/session-expired', text: 'Session Expired' }],
    [failure('relay/invalid-key'), { code: 'relay/invalid-key', text: 'Unauthorized: invalid key' }],
    [
      new LatchkeyError('app/unverified-domain', { origin: 'https://shop.example' }),
      { code: 'app/unverified-domain', text: 'Unverified Domain' },
    ],
    [
      new LatchkeyError('app/origin-not-allowed', { origin: 'https://shop.example' }),
      { code: 'app/origin-not-allowed', text: 'Invalid App Configuration' },
    ],
  ])('%s from the relay is logged, and shown as an alert in debug mode [R8.4, R8.7, R8.8]', async (error, alert) => {
    for (const debug of [true, false, undefined]) {
      let host: ConnectorContext | undefined
      const bridge: MultichainConnector = {
        id: 'bridge',
        connectorFor: () => undefined,
        attach(now) {
          host = now
          return () => {}
        },
      }
      const { latchkey } = page({ ...(debug !== undefined && { debug }), wallets: [bridge] })
      latchkey.start()
      await latchkey.prepare()
      host?.report('relay_refused', error)
      expect(latchkey.state.get().alert).toEqual(debug ? alert : undefined)
      expect(latchkey.log.entries().at(-1)).toMatchObject({ level: 'error', text: `relay_refused: ${alert.text}` })
    }
  })

  test.each([
    [
      'iframe_load_failed',
      failure('frame/unreachable', { afterMs: 20_000 }),
      'Network Error - Could not load embedded wallet',
    ],
    ['iframe_load_failed', failure('frame/load-failed'), 'Unable to load email login dependency'],
    [
      'iframe_request_timeout',
      failure('frame/timeout', { method: 'CONNECT_OTP', afterMs: 30_000 }),
      'Embedded Wallet Request Timed Out',
    ],
    [
      'unverified_domain',
      new LatchkeyError('app/unverified-domain', { origin: 'https://shop.example' }),
      'Unverified Domain',
    ],
  ] as const)(
    '%s is logged, shown as an alert in debug mode, and sent to the operator [R8.5] [R8.7] [R8.4]',
    async (what, error, text) => {
      for (const debug of [true, undefined]) {
        const server = fakeFetch({ '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }), '/e': () => ({}) })
        const { latchkey, clock, host } = await pageWithLogins({
          ...(debug && { debug }),
          server: 'https://connect.example',
          projectId: 'p',
          fetch: server.fetch,
        })
        latchkey.modal.open()
        // The analytics client is loaded when the page is idle.
        await clock.pass(0)
        await vi.waitFor(() => expect(server.to('/getAnalyticsConfig')).toHaveLength(1))
        await clock.pass(100)
        host()?.report(what, error)
        await clock.pass(100)
        expect(latchkey.state.get().alert).toEqual(debug ? { code: error.code, text } : undefined)
        expect(latchkey.log.entries().at(-1)).toMatchObject({ level: 'error', text: `${what}: ${text}` })
        const reports = server
          .to('/e')
          .map(({ body }) => (body as { props: { type: string; properties?: { errorMessage?: string } } }).props)
          .filter(({ type }) => type === 'error')
        expect(reports.map(({ properties }) => properties?.errorMessage)).toContain(what)
      }
    },
  )

  test('only one alert is shown if the relay and the analytics service reject the origin [R8.8]', async () => {
    const server = fakeFetch({
      '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
      '/e': () => new Response('', { status: 403 }),
      '/getWallets': () => new Response('', { status: 403 }),
      '/projects': () => ({ allowedOrigins: ['https://elsewhere.example'] }),
    })
    const { latchkey, clock, host } = await pageWithLogins({
      debug: true,
      server: 'https://connect.example',
      projectId: 'p',
      fetch: server.fetch,
    })
    const refused = new LatchkeyError('app/origin-not-allowed', { origin: 'https://shop.example' })
    host()?.report('relay_refused', refused)
    expect(latchkey.state.get().alert).toEqual({ code: 'app/origin-not-allowed', text: 'Invalid App Configuration' })
    latchkey.hideAlert()
    host()?.report('relay_refused', refused)
    latchkey.modal.open()
    await clock.pass(100)
    await (await latchkey.directory())?.prefetch()
    expect(server.to('/e').length).toBeGreaterThan(0)
    expect(latchkey.state.get().alert).toBeUndefined()
  })

  test('an unsupported embedded wallet method is logged, and shows a toast if the modal is open [R8.1]', async () => {
    const { latchkey, host } = await pageWithLogins()
    const refuse = () => host()?.report('rpc_not_allowed', failure('frame/not-allowed', { method: 'eth_sign' }))
    refuse()
    expect([latchkey.state.get().modal.open, latchkey.state.get().toast]).toEqual([false, undefined])
    expect(latchkey.log.entries().at(-1)).toMatchObject({
      level: 'error',
      text: 'rpc_not_allowed: Requested RPC call is not allowed',
    })
    latchkey.modal.open()
    refuse()
    expect(latchkey.state.get().toast).toMatchObject({ kind: 'error', text: 'Action not allowed' })
  })
})
