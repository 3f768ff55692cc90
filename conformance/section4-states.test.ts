// Loads the lazily imported chunks up front. See testPage.ts.
import '../packages/core/src/pairing/createPairing.ts'
import '../packages/core/src/modal/modalSignIn.ts'
import { describe, expect, test, vi } from 'vitest'
import type { MultichainConnector } from '../packages/core/src/adapter.ts'
import { createLog } from '../packages/core/src/lib/log.ts'
import { createStore } from '../packages/core/src/lib/store.ts'
import { closedModal, createModal } from '../packages/core/src/modal/modal.ts'
import { type Route, route, type ViewName } from '../packages/core/src/modal/views.ts'
import type { LatchkeyOptions } from '../packages/core/src/options.ts'
import { createCaches } from '../packages/core/src/storage/storedCaches.ts'
import {
  fakeAdapter,
  fakeAuthentication,
  fakeClock,
  fakeConnector,
  fakeFetch,
  memoryStorage,
} from '../packages/core/src/testing/index.ts'
import type { Namespace } from '../packages/protocol/src/caip.ts'
import { openPage, viewsOf } from './testPage.ts'

const server = { server: 'https://connect.example', projectId: 'p' }

/** The account in a namespace without a connection. */
const disconnected = {
  status: 'disconnected',
  account: undefined,
  address: undefined,
  chain: undefined,
  accounts: [],
  connectorId: undefined,
  health: 'ok',
}

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

  test('an account that is connecting has a wallet but no address, and other namespaces are not affected [R4.3]', async () => {
    const wallet = fakeConnector({ id: 'e', waits: new Promise(() => {}) })
    const { latchkey } = await openPage({
      adapters: [fakeAdapter({ wallets: [wallet] }), fakeAdapter({ namespace: 'solana' })],
    })
    latchkey.connect({ connectorId: 'e' }).catch(() => {})
    expect(latchkey.account('eip155')).toMatchObject({ status: 'connecting', connectorId: 'e' })
    expect([latchkey.account('eip155').account, latchkey.session('eip155')]).toEqual([undefined, undefined])
    expect(latchkey.account('solana').status).toBe('disconnected')
  })

  test('the account is disconnected again after a rejected connection [R4.3]', async () => {
    const wallet = fakeConnector({ rejects: 'user/rejected' })
    const { latchkey } = await openPage({}, { wallet })
    await expect(latchkey.connect({ connectorId: wallet.id })).rejects.toMatchObject({ code: 'user/rejected' })
    expect(latchkey.account()).toEqual(disconnected)
  })

  test.each(['the user', 'the wallet'] as const)(
    'if %s disconnects a namespace, only its account, balance, name and records are reset [R4.3]',
    async (who) => {
      const solanaWallet = fakeConnector({ namespace: 'solana', id: 's', name: 'S', addresses: ['So1'] })
      const evmWallet = fakeConnector({ id: 'e', name: 'E' })
      const { latchkey, clock, storage } = await openPage({
        adapters: [
          fakeAdapter({
            wallets: [evmWallet],
            balance: () => ({ value: 1n, decimals: 18, symbol: 'ETH' }),
            identity: () => ({ name: 'ann.eth' }),
          }),
          fakeAdapter({ namespace: 'solana', wallets: [solanaWallet] }),
        ],
      })
      await latchkey.connect({ connectorId: 's' })
      await latchkey.connect({ connectorId: 'e' })
      await clock.pass(0)
      expect(latchkey.state.get().account).toMatchObject({
        balance: { status: 'ready' },
        identity: { status: 'ready', value: { name: 'ann.eth' } },
      })
      if (who === 'the user') await latchkey.disconnect({ namespace: 'eip155' })
      else evmWallet.sessions[0]?.leave()
      await clock.pass(0)
      expect(latchkey.account('eip155')).toEqual(disconnected)
      expect(latchkey.session('eip155')).toBeUndefined()
      expect(latchkey.state.get().account).toEqual({ balance: { status: 'idle' }, identity: { status: 'idle' } })
      expect(storage.all()['@latchkey/eip155:connected_connector_id']).toBeUndefined()
      expect(storage.all()).toMatchObject({
        '@latchkey/connected_namespaces': 'solana',
        '@latchkey/solana:connected_connector_id': 's',
        '@latchkey/connection_status': 'connected',
      })
      expect(latchkey.account('solana')).toMatchObject({
        status: 'connected',
        account: 'solana:1:So1',
        chain: 'solana:1',
        connectorId: 's',
      })
    },
  )

  test.each(['the user', 'the wallet'] as const)(
    'if %s disconnects on an unlisted network, a listed network becomes active again [R4.3]',
    async (who) => {
      const { latchkey, connect, wallet, storage } = await openPage()
      const leave = async () => {
        if (who === 'the user') await latchkey.disconnect()
        else wallet.sessions.at(-1)?.leave()
      }
      const network = () => [latchkey.state.get().networks.active, storage.all()['@latchkey/active_caip_network_id']]
      await connect()
      wallet.sessions[0]?.change({ chain: 'eip155:999' })
      expect(network()).toEqual(['eip155:999', 'eip155:999'])
      await leave()
      expect(network()).toEqual(['eip155:1', 'eip155:1'])
      // A listed network stays active, because the user selected it.
      await connect()
      await latchkey.switchNetwork('eip155:10')
      await leave()
      expect(network()).toEqual(['eip155:10', 'eip155:10'])
    },
  )
})

describe('the modal', () => {
  test('opening sets the loading flags for the modal and the requested namespace, and closing clears both [R4.6]', async () => {
    const { latchkey } = await openPage()
    latchkey.modal.open()
    expect(latchkey.state.get().modal).toMatchObject({ open: true, loading: true, loadingBy: {} })
    latchkey.modal.open({ namespace: 'eip155' })
    expect(latchkey.state.get().modal.loadingBy).toEqual({ eip155: true })
    latchkey.modal.open()
    expect(latchkey.state.get().modal).toMatchObject({ loading: true, loadingBy: { eip155: true } })
    latchkey.modal.close()
    expect(latchkey.state.get().modal).toMatchObject({ open: false, loading: false, loadingBy: {} })
    expect(viewsOf(latchkey)).toEqual(['Connect'])
  })

  test('is initially closed, and neither loading nor shaking [R4.6]', async () => {
    const { latchkey } = await openPage()
    expect(latchkey.state.get().modal).toEqual({
      open: false,
      stack: [{ view: 'Connect', data: undefined }],
      loading: false,
      loadingBy: {},
      shaking: false,
    })
  })

  test.each<[LatchkeyOptions, connected: boolean, requested: Route | undefined, ViewName]>([
    [{ manualWalletConnect: true }, false, route('Networks'), 'ConnectingWalletConnectBasic'],
    [{ manualWalletConnect: true, platform: 'mobile' }, false, undefined, 'AllWallets'],
    [{ adapters: [] }, false, undefined, 'ConnectingWalletConnectBasic'],
    [{ adapters: [], platform: 'mobile' }, false, undefined, 'AllWallets'],
    [{}, true, route('Networks'), 'Networks'],
    [{}, false, route('Networks'), 'Networks'],
    [{}, true, undefined, 'Account'],
    [{}, false, undefined, 'Connect'],
  ])(
    'with %o, connected: %s and requested view: %o, the first view follows the rules in section 2 [R4.6]',
    async (options, connected, requested, view) => {
      const { latchkey, connect } = await openPage(options)
      if (connected) await connect()
      latchkey.modal.open(requested && { view: requested })
      expect([latchkey.state.get().modal.open, viewsOf(latchkey)]).toEqual([true, [view]])
    },
  )

  test('closing an embedded modal clears its loading flags and navigates to Account or Connect [R4.6]', async () => {
    const { latchkey, connect } = await openPage({ embedded: true })
    const leave = () => {
      latchkey.modal.open({ view: route('Networks'), namespace: 'eip155' })
      expect(viewsOf(latchkey)).toEqual(['Networks'])
      latchkey.modal.close()
      const { open, loading, loadingBy } = latchkey.state.get().modal
      expect([open, loading, loadingBy]).toEqual([true, false, {}])
      return viewsOf(latchkey)
    }
    expect(leave()).toEqual(['Connect'])
    await connect()
    expect(leave()).toEqual(['Account'])
  })

  test('back closes the modal if only one view is left or UnsupportedChain is in the stack [R4.6]', async () => {
    const { latchkey } = await openPage()
    for (const first of ['Networks', 'UnsupportedChain'] as const) {
      latchkey.modal.open({ view: route(first) })
      if (first === 'UnsupportedChain') latchkey.modal.push('WhatIsANetwork')
      latchkey.modal.back()
      expect([first, latchkey.state.get().modal.open]).toEqual([first, false])
    }
    latchkey.modal.open()
    latchkey.modal.push('AllWallets')
    latchkey.modal.back()
    expect([latchkey.state.get().modal.open, viewsOf(latchkey)]).toEqual([true, ['Connect']])
  })

  const holding = (signIn: 'required' | 'optional' | 'off', first: Route, signedIn = false) => {
    const clock = fakeClock()
    const state = createStore({ ...closedModal, open: true, stack: [first] as const })
    const modal = createModal({
      state: state as never,
      clock,
      log: createLog({ now: clock.now, level: 'silent' }),
      embedded: false,
      routerContext: () => ({ connected: true, adapters: 1, mobile: false, manual: false, signIn, signedIn }),
      activateNamespace: () => {},
      filter: () => {},
      track: () => {},
      closed: () => {},
    })
    return { clock, modal, state }
  }

  test('a rejected close shakes the modal once for 500 ms [R4.6] [R9.15]', async () => {
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

  test('going back from an approval shakes the modal, and a forced close stops the shaking [R4.6]', async () => {
    const { clock, modal, state } = holding('off', route('Account'))
    modal.push('ApproveTransaction', { requestId: '1' })
    modal.back()
    expect(state.get()).toMatchObject({ open: true, shaking: true, stack: [{}, { view: 'ApproveTransaction' }] })
    await clock.pass(200)
    modal.close({ force: true })
    expect(state.get()).toMatchObject({ open: false, shaking: false })
    modal.open({ view: route('ApproveTransaction', { requestId: '2' }) })
    modal.close()
    await clock.pass(499)
    expect(state.get().shaking).toBe(true)
    await clock.pass(1)
    expect(state.get().shaking).toBe(false)
  })

  test.each([
    ['required', 'SIWXSignMessage', false, false],
    ['required', 'ConnectingSiwe', false, false],
    ['required', 'SIWXSignMessage', true, true],
    ['optional', 'SIWXSignMessage', false, true],
    ['required', 'Account', false, true],
  ] as const)(
    'with signIn: %s, view: %s and signedIn: %s, close() returns %s [R4.6]',
    async (signIn, view, signedIn, closes) => {
      const { modal, state } = holding(signIn, route(view), signedIn)
      expect(modal.close()).toBe(closes)
      expect(state.get()).toMatchObject({ open: !closes, shaking: !closes })
    },
  )
})

describe('navigation', () => {
  test('the modal closes once a wallet is connected [R4.6]', async () => {
    const { latchkey, connect } = await openPage()
    latchkey.modal.open()
    latchkey.modal.push('ConnectingExternal', { connectorId: 'io.example', namespace: 'eip155' })
    await connect()
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test('the modal closes when the account disconnects, except on ProfileWallets [R4.6]', async () => {
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

  test('UnsupportedChain opens when the wallet switches to an unknown chain, and closes when it switches back [R4.6]', async () => {
    const { latchkey, connect, wallet } = await openPage()
    await connect()
    wallet.sessions[0]?.change({ chain: 'eip155:999' })
    expect(latchkey.state.get().modal.open).toBe(true)
    expect(viewsOf(latchkey)).toEqual(['UnsupportedChain'])
    wallet.sessions[0]?.change({ chain: 'eip155:10' })
    expect(latchkey.state.get().modal.open).toBe(false)
  })

  test.each([{ allowUnsupportedNetwork: true }, { networkSwitching: false }])(
    'with %o, no view opens when the wallet switches to an unknown chain [R4.6]',
    async (options) => {
      const { latchkey, connect, wallet } = await openPage(options)
      await connect()
      wallet.sessions[0]?.change({ chain: 'eip155:999' })
      expect(latchkey.state.get().modal.open).toBe(false)
    },
  )

  test('selecting a network in a different namespace shows SwitchActiveChain, then that namespace’s wallets [R4.6]', async () => {
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
  'on %s, switching to a namespace that has no connection keeps the modal open and shows the wallets for that namespace [R4.6]',
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

describe('WalletConnect', () => {
  /** Opens a page and pairs with a wallet that grants the namespaces `granted`. Records the requested sign-ins in `signIns`. */
  async function pairingPage(options: LatchkeyOptions, granted: readonly [Namespace, ...Namespace[]]) {
    const signIns: unknown[] = []
    const wallets: MultichainConnector = {
      id: 'walletConnect',
      connectorFor: ({ namespace }) =>
        fakeConnector({ namespace, id: 'walletConnect', name: 'WalletConnect', type: 'WALLET_CONNECT' }),
      pairing: async () => ({
        async pair({ signIn }) {
          signIns.push(signIn)
          return {
            namespaces: granted,
            wallet: { name: 'Pocket', url: 'https://pocket.example' },
            signed: [],
            async disconnect() {},
          }
        },
      }),
    }
    const page = await openPage({ wallets: [wallets], ...options })
    await page.latchkey.connect({ connectorId: 'walletConnect' })
    await page.clock.pass(0)
    return { ...page, signIns }
  }
  const evm = fakeAdapter()
  const solana = fakeAdapter({ namespace: 'solana' })
  const signIn = () => ({ signIn: 'required', authentication: fakeAuthentication() }) as const

  test.each<[string, () => LatchkeyOptions, readonly [Namespace, ...Namespace[]]]>([
    ['if sign-in is not configured', () => ({}), ['eip155']],
    ['if sign-in is off', () => ({ signIn: 'off', authentication: fakeAuthentication() }), ['eip155']],
    [
      'if sign-in is required but the page has two families',
      () => ({ ...signIn(), adapters: [evm, solana] }),
      ['eip155', 'solana'],
    ],
    ['if sign-in is required but the only family is not EVM', () => ({ ...signIn(), adapters: [solana] }), ['solana']],
  ])('%s, the wallet is only asked to connect [R4.13] [R4.7]', async (_, options, granted) => {
    const { latchkey, signIns } = await pairingPage(options(), granted)
    expect(signIns).toEqual([undefined])
    for (const namespace of granted) expect(latchkey.account(namespace).status).toBe('connected')
    // If sign-in is required, the user is prompted afterwards, as with any other wallet.
    expect(viewsOf(latchkey)).toEqual([latchkey.options.signIn === 'required' ? 'SIWXSignMessage' : 'Connect'])
  })

  test('if EVM is the only family, the wallet is asked for a sign-in while connecting, but can connect without one [R4.13]', async () => {
    const { latchkey, signIns } = await pairingPage(signIn(), ['eip155'])
    expect(signIns).toMatchObject([{ chains: ['eip155:1', 'eip155:10'] }])
    expect(latchkey.account().status).toBe('connected')
  })
})

describe('caches', () => {
  const storage = memoryStorage()
  const clock = fakeClock(0)
  const caches = createCaches({ storage: () => storage, clock, log: { warn: () => {} } })

  test('reading an expired entry removes it without affecting other entries [R4.16] [R9.5]', async () => {
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

  test.each(['ens', 'identity'] as const)(
    '%s entries expire after five minutes and are removed when they are read [R4.16] [R9.5]',
    async (name) => {
      const cache = caches[name]
      const fill = (address: string) => {
        if (name === 'ens') caches.ens.set(address, ['ann.eth'])
        else caches.identity.set(address, { name: 'ann.eth' })
      }
      const storedKeys = () => Object.keys(JSON.parse(storage.all()[`@latchkey/${name}_cache`] ?? '{}'))
      fill('a')
      await clock.pass(300_000)
      fill('b')
      expect(cache.get('a')).toBeDefined()
      await clock.pass(1)
      expect(storedKeys()).toEqual(['a', 'b'])
      expect(cache.get('a')).toBeUndefined()
      expect(storedKeys()).toEqual(['b'])
      expect(cache.get('b')).toBeDefined()
    },
  )

  test('reading an expired portfolio removes it [R4.16]', async () => {
    const storedKeys = () => Object.keys(JSON.parse(storage.all()['@latchkey/portfolio_cache'] ?? '{}'))
    caches.portfolio.set('p', { balances: [] })
    await clock.pass(30_000)
    expect(caches.portfolio.get('p')).toEqual({ balances: [] })
    await clock.pass(1)
    expect(storedKeys()).toEqual(['p'])
    expect(caches.portfolio.get('p')).toBeUndefined()
    expect(storedKeys()).toEqual([])
  })

  test('storing the same value again restarts its lifetime [R4.16] [R9.5]', async () => {
    const balance = { balance: '1', symbol: 'ETH' }
    const fill = () => {
      caches.portfolio.set('s', { balances: [] })
      caches.nativeBalance.set('s', balance)
      caches.ens.set('s', ['ann.eth'])
      caches.identity.set('s', { name: 'ann.eth' })
    }
    const short = () => [caches.portfolio.get('s'), caches.nativeBalance.get('s')]
    const long = () => [caches.ens.get('s'), caches.identity.get('s')]
    fill()
    await clock.pass(20_000)
    fill()
    await clock.pass(30_000)
    expect(short()).toEqual([{ balances: [] }, balance])
    await clock.pass(1)
    expect(short()).toEqual([undefined, undefined])
    await clock.pass(250_000)
    fill()
    await clock.pass(300_000)
    expect(long()).toEqual([['ann.eth'], { name: 'ann.eth' }])
    await clock.pass(1)
    expect(long()).toEqual([undefined, undefined])
  })

  test.each([true, false])(
    'reading an expired entry removes it, regardless of whether the browser is online (%s) [R4.16]',
    async (onLine) => {
      vi.stubGlobal('navigator', { onLine })
      try {
        caches.portfolio.set('o', { balances: [] })
        caches.nativeBalance.set('o', { balance: '1', symbol: 'ETH' })
        caches.ens.set('o', ['ann.eth'])
        caches.identity.set('o', { name: 'ann.eth' })
        await clock.pass(300_001)
        const all = [caches.portfolio, caches.nativeBalance, caches.ens, caches.identity]
        expect(all.map((cache) => cache.get('o'))).toEqual(all.map(() => undefined))
        for (const name of ['portfolio', 'native_balance', 'ens', 'identity'])
          expect(JSON.parse(storage.all()[`@latchkey/${name}_cache`] ?? '{}')).not.toHaveProperty('o')
      } finally {
        vi.unstubAllGlobals()
      }
    },
  )

  test('a page that reads an expired balance or name removes the entry and shows a loading state [R4.16]', async () => {
    const [own, other] = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222']
    const now = fakeClock().now()
    const balance = { caipAddress: `eip155:1:${own}`, balance: '5', symbol: 'OLD', timestamp: now - 30_001 }
    const identity = { address: own, identity: { name: 'old.eth' }, timestamp: now - 300_001 }
    const stored = {
      '@latchkey/native_balance_cache': JSON.stringify({
        [`eip155:1:${own}`]: balance,
        [`eip155:1:${other}`]: balance,
      }),
      '@latchkey/identity_cache': JSON.stringify({ [own]: identity, [other]: identity }),
    }
    const evmWallet = fakeConnector({ id: 'e' })
    // The requests never resolve, so nothing replaces the removed entries.
    const never = () => new Promise<never>(() => {})
    const {
      latchkey,
      clock: time,
      storage: records,
    } = await openPage(
      { adapters: [fakeAdapter({ wallets: [evmWallet], balance: never, identity: never })] },
      { stored },
    )
    expect(time.now()).toBe(now)
    await latchkey.connect({ connectorId: 'e' })
    await time.pass(0)
    expect(latchkey.state.get().account).toMatchObject({
      balance: { status: 'loading' },
      identity: { status: 'loading' },
    })
    const storedKeys = (name: string) => Object.keys(JSON.parse(records.all()[`@latchkey/${name}_cache`] ?? '{}'))
    expect([storedKeys('native_balance'), storedKeys('identity')]).toEqual([[`eip155:1:${other}`], [other]])
  })
})

test.each<[how: string, config: () => unknown]>([
  ['the server returns an error', () => new Response('', { status: 500 })],
  ['the server does not have the endpoint', () => new Response('', { status: 404 })],
  ['the server cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the server rejects the page', () => new Response('', { status: 403 })],
  ['the server never responds', () => new Promise(() => {})],
  ['the response is invalid', () => ({ isAnalyticsEnabled: 'yes' })],
  ['the response is empty', () => ({})],
  ['the response is not JSON', () => new Response('<html>')],
])(
  'if the analytics check fails, no events are sent, even if a second check would succeed [R4.18]: %s',
  async (_, config) => {
    let fails = true
    const fake = fakeFetch({
      '/getAnalyticsConfig': () => (fails ? config() : { isAnalyticsEnabled: true }),
      '/e': () => ({}),
    })
    for (const options of [server, { ...server, analyticsUrl: 'https://pulse.example' }]) {
      fails = true
      const count = fake.to('/getAnalyticsConfig').length
      const { latchkey, clock, connect } = await openPage(options, { server: fake })
      latchkey.modal.open()
      await clock.pass(0)
      latchkey.log.error('broken')
      await clock.pass(100)
      fails = false
      await connect()
      latchkey.modal.open()
      latchkey.log.error('broken again')
      await clock.pass(60_000)
      expect(fake.to('/getAnalyticsConfig')).toHaveLength(count + 1)
      expect(fake.to('/e')).toEqual([])
    }
  },
)

test('if the analytics check succeeds, events and errors are sent [R4.18]', async () => {
  const fake = fakeFetch({ '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }), '/e': () => ({}) })
  const { latchkey, clock, connect } = await openPage(server, { server: fake })
  latchkey.modal.open()
  await clock.pass(0)
  latchkey.log.error('broken')
  await connect()
  await clock.pass(100)
  const sent = fake.to('/e').map(({ body }) => (body as { props: { event: string } }).props.event)
  expect(sent).toEqual(expect.arrayContaining(['MODAL_OPEN', 'INTERNAL_SDK_ERROR', 'CONNECT_SUCCESS']))
})
