import { describe, expect, test } from 'vitest'
import { createLog } from '../packages/core/src/lib/log.ts'
import { createStore } from '../packages/core/src/lib/store.ts'
import { closedModal, createModal } from '../packages/core/src/modal/modal.ts'
import { type Route, route } from '../packages/core/src/modal/views.ts'
import { createCaches } from '../packages/core/src/storage/caches.ts'
import { fakeAdapter, fakeClock, fakeConnector, fakeFetch, memoryStorage } from '../packages/core/src/testing/index.ts'
import { openPage, viewsOf } from './page.ts'

const server = { server: 'https://connect.example', projectId: 'p' }

describe('a wallet connection', () => {
  test('changes from disconnected to connecting to connected [R4.3]', async () => {
    let answer = () => {}
    const wallet = fakeConnector({ waits: new Promise<void>((resolve) => (answer = resolve)) })
    const { latchkey } = await openPage({}, { wallet })
    const seen: string[] = [latchkey.account().status]
    latchkey.state.subscribe(() => {
      const { status } = latchkey.account()
      if (seen.at(-1) !== status) seen.push(status)
    })
    const connects = latchkey.connect({ connectorId: wallet.id })
    answer()
    await connects
    await latchkey.disconnect()
    expect(seen).toEqual(['disconnected', 'connecting', 'connected', 'disconnected'])
  })

  test('disconnecting one namespace resets its account and leaves the other connected [R4.3]', async () => {
    const solanaWallet = fakeConnector({ namespace: 'solana', id: 's', name: 'S', addresses: ['So1'] })
    const evmWallet = fakeConnector({ id: 'e', name: 'E' })
    const { latchkey } = await openPage({
      adapters: [fakeAdapter({ wallets: [evmWallet] }), fakeAdapter({ namespace: 'solana', wallets: [solanaWallet] })],
    })
    await latchkey.connect({ connectorId: 'e' })
    await latchkey.connect({ connectorId: 's' })
    await latchkey.disconnect({ namespace: 'eip155' })
    expect(latchkey.account('eip155')).toMatchObject({
      status: 'disconnected',
      address: undefined,
      chain: undefined,
      accounts: [],
    })
    expect(latchkey.account('solana').status).toBe('connected')
    expect(latchkey.session('eip155')).toBeUndefined()
    expect(evmWallet.sessions[0]?.ended).toBe(true)
  })
})

describe('the modal', () => {
  test('opening sets loading, including for the requested namespace; closing clears both [R4.6]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open()
    expect(latchkey.state.get().modal).toMatchObject({ open: true, loading: true, loadingBy: {} })
    latchkey.modal.open({ namespace: 'eip155' })
    expect(latchkey.state.get().modal.loadingBy).toEqual({ eip155: true })
    latchkey.modal.close()
    expect(latchkey.state.get().modal).toMatchObject({ open: false, loading: false, loadingBy: {} })
    expect(viewsOf(latchkey)).toEqual(['Connect'])
  })

  const holding = (signIn: 'required' | 'off', first: Route) => {
    const clock = fakeClock()
    const state = createStore({ ...closedModal, open: true, stack: [first] as const })
    const modal = createModal({
      state: state as never,
      clock,
      log: createLog({ now: clock.now, level: 'silent' }),
      embedded: false,
      situation: () => ({ connected: true, adapters: 1, mobile: false, manual: false, signIn, signedIn: false }),
      enter: () => {},
      filter: () => {},
      track: () => {},
      closed: () => {},
    })
    return { clock, modal, state }
  }

  test('a rejected close shakes for 500 ms, once [R4.6, R9.15]', async () => {
    const { clock, modal, state } = holding('off', route('ApproveTransaction', { requestId: '1' }))
    expect(modal.close()).toBe(false)
    expect(state.get()).toMatchObject({ open: true, shaking: true })
    await clock.pass(300)
    modal.close()
    await clock.pass(199)
    expect(state.get().shaking).toBe(true)
    await clock.pass(1)
    expect(state.get().shaking).toBe(false)
    expect(modal.close({ force: true })).toBe(true)
    expect(state.get().open).toBe(false)
  })

  test('loading is true while any namespace loads [R4.6]', async () => {
    const { modal, state } = holding('off', route('Connect'))
    modal.setLoading(true, 'eip155')
    modal.setLoading(false, 'solana')
    expect(state.get()).toMatchObject({ loading: true, loadingBy: { eip155: true, solana: false } })
    modal.setLoading(false, 'eip155')
    expect(state.get().loading).toBe(false)
  })
})

describe('navigation', () => {
  test('connected closes the modal [R4.6]', async () => {
    const { latchkey, connect } = await openPage()
    latchkey.modal.open()
    latchkey.modal.push('ConnectingExternal', { connectorId: 'io.example', namespace: 'eip155' })
    await connect()
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test('an account that disconnects closes the modal, but not on ProfileWallets [R4.6]', async () => {
    const { latchkey, connect, wallet } = await openPage()
    await connect()
    latchkey.modal.open()
    wallet.sessions[0]?.leave()
    expect(latchkey.state.get().modal.open).toBe(false)
    await connect()
    latchkey.modal.open({ view: route('ProfileWallets') })
    wallet.sessions[1]?.leave()
    expect(latchkey.state.get().modal.open).toBe(true)
  })

  test('a wallet that switches to an unknown chain opens UnsupportedChain, and closes it when it switches back [R4.6]', async () => {
    const { latchkey, connect, wallet } = await openPage()
    await connect()
    wallet.sessions[0]?.change({ chain: 'eip155:999' })
    expect(latchkey.state.get().modal.open).toBe(true)
    expect(viewsOf(latchkey)).toEqual(['UnsupportedChain'])
    wallet.sessions[0]?.change({ chain: 'eip155:10' })
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test.each([{ allowUnsupportedNetwork: true }, { networkSwitching: false }])(
    'with %o an unknown chain does not open a view [R4.6]',
    async (options) => {
      const { latchkey, connect, wallet } = await openPage(options)
      await connect()
      wallet.sessions[0]?.change({ chain: 'eip155:999' })
      expect(latchkey.state.get().modal.open).toBe(false)
    },
  )

  test('selecting a network of another namespace shows SwitchActiveChain, then its wallets [R4.6]', async () => {
    const solanaWallet = fakeConnector({ namespace: 'solana', id: 's', name: 'S' })
    const { latchkey, wallet, evm } = await openPage()
    const both = await openPage({ adapters: [evm, fakeAdapter({ namespace: 'solana', wallets: [solanaWallet] })] })
    await both.latchkey.connect({ connectorId: wallet.id })
    both.latchkey.modal.open({ view: route('Networks') })
    both.latchkey.pickNetwork('solana:1')
    expect(viewsOf(both.latchkey)).toEqual(['Networks', 'SwitchActiveChain'])
    await both.latchkey.switchNetwork('solana:1')
    expect(viewsOf(both.latchkey)).toEqual(['Connect'])
    expect(both.latchkey.shown().map(({ id }) => id)).toEqual(['s'])
    expect(both.latchkey.account('eip155').status).toBe('connected')
    latchkey.modal.close()
  })
})

test.each(['Account', 'Networks', 'SwitchNetwork'] as const)(
  'on %s, switching to a namespace without a connection keeps the modal open and shows the wallets of that namespace [R4.6]',
  async (view) => {
    const { wallet, evm } = await openPage()
    const solanaWallet = fakeConnector({ namespace: 'solana', id: 's', name: 'S' })
    const { latchkey } = await openPage({
      adapters: [evm, fakeAdapter({ namespace: 'solana', wallets: [solanaWallet] })],
    })
    await latchkey.connect({ connectorId: wallet.id })
    latchkey.modal.open()
    if (view !== 'Account') latchkey.modal.push('Networks')
    if (view === 'SwitchNetwork') latchkey.modal.push('SwitchNetwork', { network: 'solana:1' })
    await latchkey.switchNetwork('solana:1')
    expect([latchkey.state.get().modal.open, viewsOf(latchkey)]).toEqual([true, ['Connect']])
    expect(latchkey.shown().map(({ id }) => id)).toEqual(['s'])
    await latchkey.switchNetwork('eip155:1')
    expect([latchkey.state.get().modal.open, latchkey.account().status]).toEqual([false, 'connected'])
  },
)

describe('caches', () => {
  const storage = memoryStorage()
  const clock = fakeClock(0)
  const caches = createCaches({ storage: () => storage, clock, log: { warn: () => {} } })

  test('an expired entry is removed on read, without affecting others [R4.16, R9.5]', async () => {
    caches.portfolio.set('old', { balances: [] })
    caches.nativeBalance.set('old', { balance: '1', symbol: 'ETH' })
    await clock.pass(30_000)
    expect(caches.nativeBalance.get('old')).toEqual({ balance: '1', symbol: 'ETH' })
    caches.nativeBalance.set('new', { balance: '2', symbol: 'ETH' })
    await clock.pass(1)
    expect(caches.nativeBalance.get('old')).toBeUndefined()
    expect(Object.keys(JSON.parse(storage.all()['@latchkey/native_balance_cache'] ?? ''))).toEqual(['new'])
    expect(Object.keys(JSON.parse(storage.all()['@latchkey/portfolio_cache'] ?? ''))).toEqual(['old'])
    expect(caches.portfolio.get('old')).toBeUndefined()
  })

  test.each(['ens', 'identity'] as const)('%s expires after five minutes [R9.5]', async (name) => {
    const cache = caches[name]
    if (name === 'ens') caches.ens.set('a', ['ann.eth'])
    else caches.identity.set('a', { name: 'ann.eth' })
    await clock.pass(300_000)
    expect(cache.get('a')).toBeDefined()
    await clock.pass(1)
    expect(cache.get('a')).toBeUndefined()
  })
})

test.each<[how: string, config: () => unknown]>([
  ['the server returns an error', () => new Response('', { status: 500 })],
  ['the server does not have the endpoint', () => new Response('', { status: 404 })],
  ['the server cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the response is invalid', () => ({ isAnalyticsEnabled: 'yes' })],
])('when the analytics check fails, no event is sent [R4.18]: %s', async (_, config) => {
  const fake = fakeFetch({ '/getAnalyticsConfig': config, '/e': () => ({}) })
  const { latchkey, clock } = await openPage(server, { server: fake })
  latchkey.modal.open()
  await clock.pass(0)
  latchkey.log.error('broken')
  await clock.pass(100)
  expect(fake.to('/getAnalyticsConfig')).toHaveLength(1)
  expect(fake.to('/e')).toEqual([])
})
