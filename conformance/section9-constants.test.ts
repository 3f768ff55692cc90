import { describe, expect, test, vi } from 'vitest'
import { type ConnectMethod, type ConnectorGroup, createLatchkey } from '../packages/core/src/index.ts'
import { createLog } from '../packages/core/src/lib/log.ts'
import { fakeAdapter, fakeConnector, fakeFetch } from '../packages/core/src/testing/index.ts'
import { connectMethodsOrder } from '../packages/core/src/wallets/connectorGroups.ts'
import {
  debounceMs,
  emailThrottleMs,
  heartbeatMs,
  imagePreloadMs,
  minPairingLifeMs,
  minSearchMs,
  pairingExpiryMs,
  pollMs,
  popupPollMs,
  prefetchedImages,
  recentWalletsMost,
  retryGapMs,
  shakeMs,
  signOutTimeoutMs,
  toastSwapMs,
} from '../packages/protocol/src/constants.ts'
import { openPage } from './page.ts'

describe('cache lifetimes', () => {
  test('a balance is requested once in 30 s, and a name once in five minutes [R9.5]', async () => {
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
    // From here on it refreshes automatically while the page is visible.
    await clock.pass(1)
    await latchkey.refresh()
    expect(evm.reads.filter((read) => read.startsWith('balance'))).toHaveLength(2)
    expect(evm.reads.filter((read) => read.startsWith('identity'))).toHaveLength(1)
    await latchkey.refresh({ force: true })
    expect(evm.reads).toHaveLength(5)
  })

  test('concurrent callers share one request [R9.5]', async () => {
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

  test('on a testnet no name is requested [R9.5]', async () => {
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

  test('a balance that cannot be read is an error with a reason, and the previous value is kept [R9.5]', async () => {
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
    ['with an announced wallet', [row('ANNOUNCED')], undefined, all, ['wallet', 'email', 'social']],
    ['with an injected wallet', [row('INJECTED')], undefined, all, ['wallet', 'email', 'social']],
    ['without either of these', [row('EXTERNAL')], undefined, all, ['email', 'social', 'wallet']],
    ['in the host’s order', [row('ANNOUNCED')], ['social', 'wallet', 'email'], all, ['social', 'wallet', 'email']],
    ['unavailable methods are left out', [row('ANNOUNCED')], undefined, { ...all, email: false }, ['wallet', 'social']],
  ])('%s [R9.11]', async (_, shown, configured, works, expected) => {
    expect(connectMethodsOrder({ shown, configured, works })).toEqual(expected)
  })

  test('without an embedded wallet, only wallets are offered [R9.11]', async () => {
    expect((await openPage()).latchkey.connectMethods()).toEqual(['wallet'])
    const auth = fakeConnector({ id: 'ID_AUTH', name: 'Auth', type: 'AUTH' })
    const { latchkey } = await openPage({ adapters: [fakeAdapter({ wallets: [auth] })], features: { email: false } })
    expect(latchkey.connectMethods()).toEqual(['social', 'wallet'])
  })
})

describe('the log', () => {
  test('prints errors and stores the rest, up to about a megabyte [R9.12]', async () => {
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
    // A line of text only, then one with as much data.
    for (let at = 0; at < 2000; at++) log.debug('x'.repeat(500), at % 2 ? 'y'.repeat(1000) : undefined)
    const bytes = log.entries().reduce((sum, { text, cause = '' }) => sum + 2 * (text.length + cause.length), 0)
    expect(bytes).toBeGreaterThan(800_000)
    expect(bytes).toBeLessThanOrEqual(1_000_000)
    expect(log.entries()[0]?.text).not.toBe('quiet')
  })

  test('without a configured level, a page logs only errors to the console; a lower level logs more [R9.12]', () => {
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

  test('at most five errors a minute are reported [R9.12]', async () => {
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
    // A sliding minute rather than a calendar minute: the last three are a second old.
    await clock.pass(1_000)
    await fail(7)
    expect(reports()).toBe(7)
    await clock.pass(59_000)
    await fail(7)
    expect(reports()).toBe(10)
  })
})

test('the named durations have their values [R9.14]', async () => {
  expect([pairingExpiryMs, minPairingLifeMs, pollMs, heartbeatMs, signOutTimeoutMs, retryGapMs, popupPollMs]).toEqual([
    240_000, 10_000, 10_000, 5_000, 3_000, 1_000, 1_000,
  ])
  expect(emailThrottleMs).toBe(30_000)
})

test('a disconnect without a response waits three seconds at most [R9.14]', async () => {
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
  test('have their values [R9.15]', async () => {
    expect([
      imagePreloadMs,
      minSearchMs,
      shakeMs,
      debounceMs,
      toastSwapMs,
      prefetchedImages,
      recentWalletsMost,
    ]).toEqual([2000, 300, 500, 500, 150, 20, 2])
  })

  test('a toast is shown for 2.5 s, a second one follows after 150 ms, a loading toast stays [R9.15]', async () => {
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
})
