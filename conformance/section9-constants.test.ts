import { describe, expect, test, vi } from 'vitest'
import type { ConnectorContext, MultichainConnector } from '../packages/core/src/adapter.ts'
import {
  type ConnectMethod,
  type ConnectorGroup,
  createLatchkey,
  type LatchkeyOptions,
} from '../packages/core/src/index.ts'
import { createLog } from '../packages/core/src/lib/log.ts'
import { route } from '../packages/core/src/modal/views.ts'
import { fakeAdapter, fakeConnector, fakeFetch } from '../packages/core/src/testing/index.ts'
import { connectMethodsOrder } from '../packages/core/src/wallets/connectMethodsOrder.ts'
import { LatchkeyError } from '../packages/protocol/src/latchkeyError.ts'
import {
  debounceMs,
  emailThrottleMs,
  heartbeatMs,
  imagePreloadMs,
  maxRecentWallets,
  minPairingLifeMs,
  minSearchMs,
  pairingExpiryMs,
  pollMs,
  popupPollMs,
  prefetchedImages,
  retryGapMs,
  shakeMs,
  signOutTimeoutMs,
  toastSwapMs,
} from '../packages/protocol/src/specificationConstants.ts'
import { openPage } from './testPage.ts'

describe('cache lifetimes', () => {
  test('a balance is requested at most every 30 seconds, and a name at most every five minutes [R9.5]', async () => {
    const wallet = fakeConnector()
    const evm = fakeAdapter({
      wallets: [wallet],
      balance: () => ({ value: 1n, decimals: 18, symbol: 'ETH' }),
      identity: () => ({ name: 'ann.eth' }),
    })
    const { latchkey, clock } = await openPage({ adapters: [evm] })
    await latchkey.connect({ connectorId: wallet.id })
    await clock.pass(0)
    await latchkey.refresh()
    await clock.pass(29_999)
    await latchkey.refresh()
    expect(evm.reads).toHaveLength(2)
    // The balance has now expired.
    await clock.pass(1)
    await latchkey.refresh()
    expect(evm.reads.filter((read) => read.startsWith('balance'))).toHaveLength(2)
    expect(evm.reads.filter((read) => read.startsWith('identity'))).toHaveLength(1)
    await latchkey.refresh({ force: true })
    expect(evm.reads).toHaveLength(5)
  })

  test('tokens are requested at most every 30 seconds, and names and the identity at most every five minutes [R9.5]', async () => {
    const server = fakeFetch({
      '/v1/supported-chains': () => ({ http: ['eip155:1'], ws: [] }),
      '/v1/account': () => ({ balances: [] }),
      '/v1/profile/reverse': () => [],
      '/v1/identity': () => ({ name: 'ann.eth', avatar: null, resolvedAt: null }),
    })
    const { latchkey, clock, connect } = await openPage(
      { server: 'https://connect.example', projectId: 'p' },
      { server },
    )
    await connect()
    const portfolio = await latchkey.portfolio()
    const names = await latchkey.names()
    const read = async () => {
      await portfolio?.refresh()
      await names?.reverse('0x1')
      await latchkey.refresh()
    }
    const counts = () => ['/v1/account', '/v1/profile/reverse', '/v1/identity'].map((path) => server.to(path).length)
    await read()
    expect(counts()).toEqual([1, 1, 1])
    await clock.pass(30_000)
    await read()
    expect(counts()).toEqual([1, 1, 1])
    await clock.pass(1)
    await read()
    expect(counts()).toEqual([2, 1, 1])
    await clock.pass(269_999)
    await read()
    expect(counts()).toEqual([3, 1, 1])
    await clock.pass(1)
    await read()
    expect(counts()).toEqual([3, 2, 2])
  })

  test('concurrent refreshes share one request [R9.5]', async () => {
    const answers: (() => void)[] = []
    const wallet = fakeConnector()
    const evm = fakeAdapter({
      wallets: [wallet],
      balance: () => new Promise((resolve) => answers.push(() => resolve({ value: 1n, decimals: 18, symbol: 'ETH' }))),
    })
    const { latchkey, clock } = await openPage({ adapters: [evm] })
    await latchkey.connect({ connectorId: wallet.id })
    const all = [latchkey.refresh(), latchkey.refresh({ force: true }), latchkey.refresh()]
    await clock.pass(0)
    expect(answers).toHaveLength(1)
    answers[0]?.()
    await Promise.all(all)
    expect(latchkey.state.get().account.balance).toMatchObject({ status: 'ready', value: { value: 1n } })
  })

  test('no name is requested on a testnet [R9.5]', async () => {
    const wallet = fakeConnector()
    const [mainnet] = fakeAdapter().networks
    const evm = fakeAdapter({
      wallets: [wallet],
      networks: mainnet ? [{ ...mainnet, testnet: true }] : [],
      identity: () => ({ name: 'ann.eth' }),
    })
    const { latchkey, clock } = await openPage({ adapters: [evm] })
    await latchkey.connect({ connectorId: wallet.id })
    await clock.pass(0)
    await latchkey.refresh()
    expect(evm.reads).toEqual([])
    expect(latchkey.state.get().account.identity).toEqual({ status: 'ready', value: {} })
  })

  test('if a balance cannot be read, the error is stored and the previous value is kept [R9.5]', async () => {
    let fails = false
    const wallet = fakeConnector()
    const evm = fakeAdapter({
      wallets: [wallet],
      balance: () => (fails ? Promise.reject(new Error('no node')) : { value: 7n, decimals: 18, symbol: 'ETH' }),
    })
    const { latchkey, clock } = await openPage({ adapters: [evm] })
    await latchkey.connect({ connectorId: wallet.id })
    await clock.pass(0)
    await latchkey.refresh()
    fails = true
    await latchkey.refresh({ force: true })
    expect(latchkey.state.get().account.balance).toMatchObject({
      status: 'failed',
      error: { message: 'no node' },
      value: { value: 7n },
    })
  })
})

describe('connect-method order', () => {
  const row = (type: ConnectorGroup['type']): ConnectorGroup => {
    const info = { id: 'a', name: 'A', type, namespace: 'eip155' } as const
    return { ...info, members: [info] }
  }
  const all = { wallet: true, email: true, social: true }
  test.each<
    [string, readonly ConnectorGroup[], readonly ConnectMethod[] | undefined, typeof all, readonly ConnectMethod[]]
  >([
    [
      'wallets come first if an announced wallet is shown',
      [row('ANNOUNCED')],
      undefined,
      all,
      ['wallet', 'email', 'social'],
    ],
    [
      'wallets come first if an injected wallet is shown',
      [row('INJECTED')],
      undefined,
      all,
      ['wallet', 'email', 'social'],
    ],
    [
      'wallets come last if only other wallets are shown',
      [row('EXTERNAL')],
      undefined,
      all,
      ['email', 'social', 'wallet'],
    ],
    ['the host’s order is used', [row('ANNOUNCED')], ['social', 'wallet', 'email'], all, ['social', 'wallet', 'email']],
    ['unavailable methods are left out', [row('ANNOUNCED')], undefined, { ...all, email: false }, ['wallet', 'social']],
  ])('%s [R9.11]', async (_, shown, configured, works, expected) => {
    expect(connectMethodsOrder({ shown, configured, works })).toEqual(expected)
  })

  test.each<[string, LatchkeyOptions, ConnectorGroup['type'] | undefined, readonly ConnectMethod[]]>([
    ['an announced wallet is shown', {}, 'ANNOUNCED', ['wallet', 'email', 'social']],
    ['an injected wallet is shown', {}, 'INJECTED', ['wallet', 'email', 'social']],
    ['WalletConnect is shown', {}, 'WALLET_CONNECT', ['email', 'social', 'wallet']],
    ['a different kind of wallet is shown', {}, 'EXTERNAL', ['email', 'social', 'wallet']],
    ['no wallet is shown', {}, undefined, ['email', 'social', 'wallet']],
    [
      'no wallet is shown and the provider list is empty',
      { features: { socials: [] } },
      undefined,
      ['email', 'wallet'],
    ],
    ['a wallet is shown and social logins are off', { features: { socials: false } }, 'ANNOUNCED', ['wallet', 'email']],
    ['a wallet is shown and email logins are off', { features: { email: false } }, 'INJECTED', ['wallet', 'social']],
    [
      'no wallet is shown and all logins are off',
      { features: { email: false, socials: false } },
      undefined,
      ['wallet'],
    ],
    [
      'a wallet is shown and the host sets the order',
      { connectMethodsOrder: ['social', 'wallet', 'email'] },
      'ANNOUNCED',
      ['social', 'wallet', 'email'],
    ],
    [
      'no wallet is shown and the host sets the order',
      { connectMethodsOrder: ['wallet', 'social', 'email'] },
      undefined,
      ['wallet', 'social', 'email'],
    ],
    [
      'the host’s order contains two methods',
      { connectMethodsOrder: ['social', 'email'] },
      'ANNOUNCED',
      ['social', 'email'],
    ],
    [
      'the host’s order contains a disabled method',
      { connectMethodsOrder: ['email', 'social', 'wallet'], features: { email: false } },
      'ANNOUNCED',
      ['social', 'wallet'],
    ],
  ])(
    'the connect methods of a page with the embedded wallet are in the expected order if %s [R9.11]',
    async (_, options, type, order) => {
      const auth = fakeConnector({ id: 'ID_AUTH', name: 'Auth', type: 'AUTH' })
      const wallets = [auth, ...(type ? [fakeConnector({ id: 'io.a', name: 'A', type })] : [])]
      const { latchkey } = await openPage({ adapters: [fakeAdapter({ wallets })], ...options })
      expect(latchkey.connectMethods()).toEqual(order)
    },
  )

  test('a wallet that is discovered later changes the order only if it is shown [R9.11]', async () => {
    const auth = fakeConnector({ id: 'ID_AUTH', name: 'Auth', type: 'AUTH' })
    const evm = fakeAdapter({ wallets: [auth] })
    const solana = fakeAdapter({ namespace: 'solana' })
    const { latchkey } = await openPage({ adapters: [evm, solana] })
    expect(latchkey.connectMethods()).toEqual(['email', 'social', 'wallet'])
    evm.announce(fakeConnector({ id: 'io.a', name: 'A' }))
    expect(latchkey.connectMethods()).toEqual(['wallet', 'email', 'social'])
    // The wallet does not support Solana, so it is not shown in that namespace.
    latchkey.modal.open({ namespace: 'solana' })
    expect(latchkey.connectMethods()).toEqual(['email', 'social', 'wallet'])
    // The two connectors are one row because they have the same name. One of them is an announced wallet.
    solana.announce(fakeConnector({ id: 'io.a', name: 'A', namespace: 'solana', type: 'EXTERNAL' }))
    expect(latchkey.connectMethods()).toEqual(['email', 'social', 'wallet'])
    latchkey.modal.close()
    latchkey.modal.open()
    expect(latchkey.connectMethods()).toEqual(['wallet', 'email', 'social'])
  })

  test('email and social logins are only offered for eip155 and solana [R9.11]', async () => {
    const auth = fakeConnector({ id: 'ID_AUTH', name: 'Auth', type: 'AUTH', namespace: 'bip122' })
    const { latchkey } = await openPage({ adapters: [fakeAdapter({ namespace: 'bip122', wallets: [auth] })] })
    expect(latchkey.connectMethods()).toEqual(['wallet'])
    const second = fakeConnector({ id: 'ID_AUTH', name: 'Auth', type: 'AUTH', namespace: 'solana' })
    const solana = await openPage({ adapters: [fakeAdapter({ namespace: 'solana', wallets: [second] })] })
    expect(solana.latchkey.connectMethods()).toEqual(['email', 'social', 'wallet'])
  })

  test('only wallets are offered if there is no embedded wallet [R9.11]', async () => {
    expect((await openPage()).latchkey.connectMethods()).toEqual(['wallet'])
    const auth = fakeConnector({ id: 'ID_AUTH', name: 'Auth', type: 'AUTH' })
    const { latchkey } = await openPage({ adapters: [fakeAdapter({ wallets: [auth] })], features: { email: false } })
    expect(latchkey.connectMethods()).toEqual(['social', 'wallet'])
  })
})

describe('the log', () => {
  test('prints errors, and stores all entries up to about one megabyte [R9.12]', async () => {
    const printed: string[] = []
    const line = (level: string) => (text: string) => void printed.push(`${level} ${text}`)
    const log = createLog({
      now: () => 0,
      print: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    })
    log.warn('quiet')
    log.error('loud')
    expect(printed).toEqual(['error [latchkey] loud'])
    expect(log.entries().map(({ text }) => text)).toEqual(['quiet', 'loud'])
    // Alternate between entries with and without a cause.
    for (let at = 0; at < 2000; at++) log.debug('x'.repeat(500), at % 2 ? 'y'.repeat(1000) : undefined)
    const bytes = log.entries().reduce((sum, { text, cause = '' }) => sum + 2 * (text.length + cause.length), 0)
    expect(bytes).toBeGreaterThan(800_000)
    expect(bytes).toBeLessThanOrEqual(1_000_000)
    expect(log.entries()[0]?.text).not.toBe('quiet')
  })

  test('prints only errors to the console by default, and also less severe entries at a lower level [R9.12]', () => {
    const printed: string[] = []
    for (const level of ['debug', 'info', 'warn', 'error'] as const)
      vi.spyOn(console, level).mockImplementation((text: string) => void printed.push(text))
    try {
      for (const logLevel of [undefined, 'warn'] as const) {
        const latchkey = createLatchkey(logLevel ? { logLevel } : {})
        for (const level of ['debug', 'info', 'warn', 'error'] as const) latchkey.log[level](`${logLevel} ${level}`)
      }
    } finally {
      vi.restoreAllMocks()
    }
    expect(printed).toEqual(['undefined error', 'warn warn', 'warn error'].map((text) => `[latchkey] ${text}`))
  })

  test('prints nothing at the level silent, but still stores everything [R9.12]', () => {
    const printed: string[] = []
    for (const level of ['debug', 'info', 'warn', 'error'] as const)
      vi.spyOn(console, level).mockImplementation((text: string) => void printed.push(text))
    try {
      const { log } = createLatchkey({ logLevel: 'silent' })
      for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level)
      expect([printed, log.entries().map(({ level }) => level)]).toEqual([[], ['debug', 'info', 'warn', 'error']])
    } finally {
      vi.restoreAllMocks()
    }
  })

  test('reports at most five errors per minute, including errors from the frame and the relay [R9.12]', async () => {
    const server = fakeFetch({ '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }), '/e': () => ({}) })
    let host: ConnectorContext | undefined
    const bridge: MultichainConnector = {
      id: 'bridge',
      connectorFor: () => undefined,
      attach(now) {
        host = now
        return () => {}
      },
    }
    const options = { server: 'https://connect.example', projectId: 'p', wallets: [bridge] }
    const { latchkey, clock } = await openPage(options, { server })
    latchkey.modal.open()
    await clock.pass(0)
    for (let at = 0; at < 9; at++) host?.report('iframe_request_timeout', new LatchkeyError('request/aborted'))
    await clock.pass(0)
    const reports = server.to('/e').map(({ body }) => (body as { props: { type: string } }).props.type)
    expect(reports.filter((type) => type === 'error')).toHaveLength(5)
  })

  test('reports at most five errors per minute [R9.12]', async () => {
    const server = fakeFetch({ '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }), '/e': () => ({}) })
    const { latchkey, clock } = await openPage({ server: 'https://connect.example', projectId: 'p' }, { server })
    latchkey.modal.open()
    await clock.pass(0)
    const reports = () =>
      server.to('/e').filter(({ body }) => (body as { props: { type: string } }).props.type === 'error').length
    const fail = async (times: number) => {
      for (let at = 0; at < times; at++) latchkey.log.error('broken')
      await clock.pass(0)
    }
    await fail(2)
    await clock.pass(59_000)
    await fail(7)
    expect(reports()).toBe(5)
    // The limit applies to a sliding window, which still contains the last three reports.
    await clock.pass(1_000)
    await fail(7)
    expect(reports()).toBe(7)
    await clock.pass(59_000)
    await fail(7)
    expect(reports()).toBe(10)
  })
})

test('the durations have the specified values [R9.14]', async () => {
  expect([pairingExpiryMs, minPairingLifeMs, pollMs, heartbeatMs, signOutTimeoutMs, retryGapMs, popupPollMs]).toEqual([
    240_000, 10_000, 10_000, 5_000, 3_000, 1_000, 1_000,
  ])
  expect(emailThrottleMs).toBe(30_000)
})

test('disconnecting waits at most three seconds for the wallet to respond [R9.14]', async () => {
  const wallet = fakeConnector()
  const { latchkey, clock } = await openPage({}, { wallet })
  const session = await latchkey.connect({ connectorId: wallet.id })
  session.disconnect = () => new Promise(() => {})
  const failure = latchkey.disconnect().catch((error: unknown) => error)
  await clock.pass(2999)
  expect(latchkey.account().status).toBe('connected')
  await clock.pass(1)
  expect(latchkey.account().status).toBe('disconnected')
  expect(await failure).toMatchObject({ code: 'disconnect/failed' })
})

describe('the modal’s durations', () => {
  test('have the specified values [R9.15]', async () => {
    expect([imagePreloadMs, minSearchMs, shakeMs, debounceMs, toastSwapMs, prefetchedImages, maxRecentWallets]).toEqual(
      [2000, 300, 500, 500, 150, 20, 2],
    )
  })

  test('a toast is shown for 2.5 s, a second one follows after 150 ms, and a loading toast stays [R9.15]', async () => {
    const { latchkey, clock } = await openPage()
    const shown = () => latchkey.state.get().toast?.text
    latchkey.toast('success', 'one')
    expect(shown()).toBe('one')
    latchkey.toast('error', 'two')
    expect(shown()).toBeUndefined()
    await clock.pass(149)
    expect(shown()).toBeUndefined()
    await clock.pass(1)
    expect(shown()).toBe('two')
    await clock.pass(2499)
    expect(shown()).toBe('two')
    await clock.pass(1)
    expect(shown()).toBeUndefined()
    latchkey.toast('loading', 'three')
    await clock.pass(5000)
    expect(shown()).toBe('three')
    latchkey.hideToast()
    expect(shown()).toBeUndefined()
  })

  test('a loading toast is also replaced after 150 ms, and a first toast is shown without delay [R9.15]', async () => {
    const { latchkey, clock } = await openPage()
    const shown = () => latchkey.state.get().toast?.text
    latchkey.toast('loading', 'one')
    latchkey.toast('error', 'two')
    await clock.pass(149)
    expect(shown()).toBeUndefined()
    await clock.pass(1)
    expect(shown()).toBe('two')
    latchkey.hideToast()
    latchkey.toast('success', 'three')
    expect(shown()).toBe('three')
  })

  test('a rejected back() also shakes the modal for 500 ms, and each later rejection shakes it again [R9.15]', async () => {
    const { latchkey, clock } = await openPage()
    const { modal } = latchkey
    const shaking = () => latchkey.state.get().modal.shaking
    modal.open({ view: route('ApproveTransaction', { requestId: '1' }) })
    modal.back()
    await clock.pass(499)
    expect(shaking()).toBe(true)
    await clock.pass(1)
    expect(shaking()).toBe(false)
    modal.close()
    await clock.pass(499)
    expect(shaking()).toBe(true)
    // A forced close ends the animation.
    modal.close({ force: true })
    expect(shaking()).toBe(false)
  })

  test('at most two recent wallets are read from storage, and a new one replaces the oldest [R9.15]', async () => {
    const stored = ['a', 'b', 'c'].map((id) => ({ id, name: `Wallet ${id}` }))
    const wallet = fakeConnector({ id: 'io.d', rdns: 'io.d', name: 'D' })
    const { latchkey, connect, storage } = await openPage(
      {},
      { wallet, stored: { '@latchkey/recent_wallets': JSON.stringify(stored) } },
    )
    const recent = () => latchkey.state.get().wallets.recent.map(({ id }) => id)
    expect(recent()).toEqual(['a', 'b'])
    await connect()
    expect(recent()).toEqual(['io.d', 'a'])
    const recentWallets: unknown = JSON.parse(storage.all()['@latchkey/recent_wallets'] ?? '')
    expect((recentWallets as { id: string }[]).map(({ id }) => id)).toEqual(['io.d', 'a'])
  })
})
