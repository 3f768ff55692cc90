import { describe, expect, test, vi } from 'vitest'
import { type Alert, createLatchkey, type Toast } from '../packages/core/src/index.ts'
import { fetchJson } from '../packages/core/src/lib/fetchJson.ts'
import { createLog } from '../packages/core/src/lib/log.ts'
import { createStore } from '../packages/core/src/lib/store.ts'
import { createNotifications } from '../packages/core/src/modal/notifications.ts'
import { createRecords } from '../packages/core/src/storage/storageSchema.ts'
import { createCaches } from '../packages/core/src/storage/storedCaches.ts'
import { fakeAdapter, fakeConnector, fakeFetch, memoryStorage } from '../packages/core/src/testing/index.ts'
import { getAnalyticsConfig } from '../packages/protocol/src/http/publicRoutes.ts'
import { httpForbidden, httpUnavailable } from '../packages/protocol/src/specificationConstants.ts'
import { fakeClock } from '../packages/protocol/src/testing/fakeClock.ts'
import { openPage } from './testPage.ts'

const texts = (page: { latchkey: { log: { entries(): readonly { text: string }[] } } }) =>
  page.latchkey.log.entries().map(({ text }) => text)

describe('storage', () => {
  test('errors are caught and logged with the record’s name [R8.2]', async () => {
    const page = await openPage()
    const { activeNamespace } = await page.latchkey.storage()
    page.storage.fail()
    activeNamespace.set('eip155')
    expect(activeNamespace.get()).toBeUndefined()
    activeNamespace.clear()
    expect(texts(page)).toEqual(
      expect.arrayContaining([
        'Unable to set active namespace',
        'Unable to get active namespace',
        'Unable to remove active namespace',
      ]),
    )
  })

  test.each<[name: string, noun: string, value: unknown]>([
    ['walletId', 'wallet id', 'a'],
    ['walletName', 'wallet name', 'A'],
    ['activeNamespace', 'active namespace', 'eip155'],
    ['activeNetwork', 'active caip network id', 'eip155:1'],
    ['connectedSocial', 'connected social', 'google'],
    ['leavingSocial', 'social provider', 'google'],
    ['socialUsername', 'social username', 'ada'],
    ['status', 'connection status', 'connected'],
    ['connectedNamespaces', 'connected namespaces', ['eip155']],
    ['recentWallets', 'recent wallets', []],
    ['signInToken', 'siwx auth token', 't'],
    ['signInNonce', 'siwx nonce token', 't'],
    ['accountTypes', 'preferred account types', {}],
    ['connections', 'connections', {}],
    ['deepLink', 'deep link choice', { href: 'w://', name: 'W' }],
    ['emailUsed', 'email login used key', 'true'],
    ['email', 'email', 'ada@example.org'],
    ['lastChain', 'last used chain key', 'eip155:1'],
    ['lastEmailLoginTime', 'last email login time', 1],
    ['smartAccountNetworks', 'smart account enabled networks', ['1']],
  ])(
    'if the record %s cannot be stored, read or removed, the error is logged as "%s" and not thrown [R8.2]',
    (name, noun, value) => {
      const storage = memoryStorage()
      storage.fail()
      const log = createLog({ now: () => 0, level: 'silent' })
      const records = createRecords({ storage: () => storage, log })
      const record = records[name as 'walletId']
      const lines = (task: () => unknown): readonly string[] => {
        const before = log.entries().length
        expect(task()).toBeUndefined()
        return log
          .entries()
          .slice(before)
          .map(({ text }) => text)
      }
      expect(lines(() => record.set(value as string))).toContain(`Unable to set ${noun}`)
      expect(lines(() => record.get())).toContain(`Unable to get ${noun}`)
      expect(lines(() => record.clear())).toContain(`Unable to remove ${noun}`)
    },
  )

  test('errors when storing, reading or removing a connector ID or a cache are logged with its name [R8.2]', () => {
    const storage = memoryStorage()
    storage.fail()
    const log = createLog({ now: () => 0, level: 'silent' })
    const connectorId = createRecords({ storage: () => storage, log }).connectorId('solana')
    connectorId.set('a')
    expect(connectorId.get()).toBeUndefined()
    connectorId.clear()
    const caches = createCaches({ storage: () => storage, clock: fakeClock(), log })
    caches.nativeBalance.set('a', { balance: '1', symbol: 'ETH' })
    caches.portfolio.set('a', { balances: [] })
    caches.ens.set('a', [])
    caches.identity.set('a', {})
    caches.nativeBalance.clear()
    createRecords({ storage: () => storage, log }).addRecent({ id: 'a', name: 'A' })
    const noun = 'solana:connected connector id'
    expect(log.entries().map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        `Unable to set ${noun}`,
        `Unable to get ${noun}`,
        `Unable to remove ${noun}`,
        'Unable to get balance cache',
        'Unable to set balance cache',
        'Unable to remove balance cache',
        'Unable to set portfolio cache',
        'Unable to set ens cache',
        'Unable to set identity cache',
        'Unable to set recent wallets',
      ]),
    )
  })

  test('a page whose storage always fails can connect, switch networks and disconnect, and logs the errors [R8.2]', async () => {
    const storage = memoryStorage()
    storage.fail()
    const page = await openPage({ storage })
    expect(page.latchkey.state.get().ready).toBe(true)
    await page.connect()
    await page.latchkey.switchNetwork('eip155:10')
    expect(page.latchkey.account()).toMatchObject({ status: 'connected', chain: 'eip155:10' })
    await page.latchkey.disconnect()
    expect(page.latchkey.account().status).toBe('disconnected')
    expect(texts(page)).toEqual(
      expect.arrayContaining([
        'Unable to get active caip network id',
        'Unable to set connection status',
        'Unable to set active namespace',
      ]),
    )
  })

  test('reading an invalid cache logs an error and returns undefined [R8.2]', async () => {
    const storage = memoryStorage({ '@latchkey/native_balance_cache': '{' })
    const log = createLog({ now: () => 0, level: 'silent' })
    const caches = createCaches({ storage: () => storage, clock: fakeClock(), log })
    expect(caches.nativeBalance.get('a')).toBeUndefined()
    expect(log.entries().map(({ text }) => text)).toEqual(['Unable to get balance cache'])
  })

  test('a page can connect and disconnect if the browser denies access to localStorage, which is logged once [R8.2]', async () => {
    const window = {}
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    })
    vi.stubGlobal('window', window)
    try {
      const adapters = [fakeAdapter({ wallets: [fakeConnector({ id: 'io.example' })] })]
      const latchkey = createLatchkey({ adapters, clock: fakeClock(), platform: 'desktop', logLevel: 'silent' })
      const stop = latchkey.start()
      await latchkey.prepare()
      expect(latchkey.state.get().ready).toBe(true)
      await latchkey.connect({ connectorId: 'io.example' })
      expect(latchkey.account().status).toBe('connected')
      await latchkey.disconnect()
      expect(latchkey.account().status).toBe('disconnected')
      // Logged once, not for every record.
      expect(latchkey.log.entries().filter(({ text }) => /storage/.test(text))).toMatchObject([
        { level: 'warn', text: 'Unable to get local storage', cause: expect.stringContaining('SecurityError') },
      ])
      stop()
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test.each([
    ['@latchkey/recent_wallets', 'recentWallets', 'recent wallets'],
    ['@latchkey/preferred_account_types', 'accountTypes', 'preferred account types'],
    ['@latchkey/connections', 'connections', 'connections'],
    ['WALLETCONNECT_DEEPLINK_CHOICE', 'deepLink', 'deep link choice'],
  ] as const)(
    'if the stored %s is not JSON, an error is logged and the value is undefined [R8.2]',
    (key, name, noun) => {
      const storage = memoryStorage({ [key]: '{' })
      const log = createLog({ now: () => 0, level: 'silent' })
      const record = createRecords({ storage: () => storage, log })[name]
      expect(record.key).toBe(key)
      expect(record.get()).toBeUndefined()
      expect(log.entries().map(({ text }) => text)).toEqual([`Unable to get ${noun}`])
    },
  )

  test.each([
    ['portfolio', 'portfolio cache', 'portfolio'],
    ['ens', 'ens cache', 'ens'],
    ['identity', 'identity cache', 'identity'],
  ] as const)(
    'if the stored %s cache is not JSON, an error is logged and the value is undefined [R8.2]',
    (name, noun, key) => {
      const storage = memoryStorage({ [`@latchkey/${key}_cache`]: '{' })
      const log = createLog({ now: () => 0, level: 'silent' })
      expect(createCaches({ storage: () => storage, clock: fakeClock(), log })[name].get('a')).toBeUndefined()
      expect(log.entries().map(({ text }) => text)).toEqual([`Unable to get ${noun}`])
    },
  )

  test('the user can connect even if the storage fails [R8.2]', async () => {
    const page = await openPage()
    page.storage.fail()
    await page.connect()
    expect(page.latchkey.account().status).toBe('connected')
  })
})

describe('alerts', () => {
  test.each<[debug: boolean | undefined, shown: boolean]>([
    [true, true],
    [false, false],
    [undefined, false],
  ])(
    'with debug: %s, an alert is shown: %s, and its explanation is always logged to the console [R8.4]',
    async (debug, shown) => {
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
      try {
        const { latchkey } = await openPage({
          ...(debug !== undefined && { debug }),
          logLevel: 'error',
          server: 'https://connect.example',
        })
        expect(latchkey.state.get().alert).toEqual(
          shown ? { code: 'app/no-project', text: 'Project ID Not Configured' } : undefined,
        )
        latchkey.hideAlert()
        expect(latchkey.state.get().alert).toBeUndefined()
        await expect(latchkey.switchNetwork('eip155:999')).rejects.toMatchObject({ code: 'network/not-found' })
        expect(latchkey.state.get().alert).toEqual(
          shown ? { code: 'network/not-found', text: 'Network Not Found' } : undefined,
        )
        expect(printed.mock.calls.map(([line]) => line)).toEqual([
          expect.stringMatching(/^\[latchkey\] A server is configured without a projectId: /),
          expect.stringMatching(/^\[latchkey\] eip155:999 is not /),
        ])
      } finally {
        printed.mockRestore()
      }
    },
  )

  test('alert() shows the short text and logs the long text [R8.4]', async () => {
    const { latchkey } = await openPage({ debug: true })
    latchkey.alert({ code: 'x', text: 'Short' }, 'Long, with what to do about it.')
    expect(latchkey.state.get().alert).toEqual({ code: 'x', text: 'Short' })
    latchkey.alert({ code: 'y', text: 'No explanation' })
    expect(latchkey.state.get().alert).toEqual({ code: 'y', text: 'No explanation' })
    expect(latchkey.log.entries().slice(-2)).toMatchObject([
      { level: 'error', text: 'Long, with what to do about it.' },
      { level: 'error', text: 'No explanation' },
    ])
  })

  test('are shown only in debug mode, but their long text is always logged to the console [R8.4]', async () => {
    const printed: unknown[] = []
    const print = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (...line: unknown[]) => void printed.push(...line),
    }
    for (const debug of [false, true]) {
      const clock = fakeClock()
      const alert = createStore<Alert | undefined>(undefined)
      const log = createLog({ now: clock.now, print })
      const notices = createNotifications({
        toast: createStore<Toast | undefined>(undefined),
        alert,
        clock,
        log,
        debug,
      })
      notices.alert({ code: 'x', text: 'Short' }, 'Long, with what to do about it.')
      expect(alert.get()).toEqual(debug ? { code: 'x', text: 'Short' } : undefined)
      notices.alert({ code: 'x', text: '' }, 'Only long.')
      expect(alert.get()?.text).toBe(debug ? 'Short' : undefined)
    }
    expect(printed.filter((line) => String(line).includes('Long, with what to do about it.'))).toHaveLength(2)
  })

  test('switching to a network that no adapter lists fails with “Network Not Found” [R8.7, R8.8]', async () => {
    const { latchkey, connect, wallet } = await openPage({ debug: true })
    await connect()
    await expect(latchkey.switchNetwork('eip155:999')).rejects.toMatchObject({
      code: 'network/not-found',
      message: 'Network Not Found',
    })
    expect(latchkey.state.get().alert?.text).toBe('Network Not Found')
    expect(latchkey.state.get().networks.active).toBe('eip155:1')
    expect(wallet.sessions[0]?.chain).toBe('eip155:1')
  })

  test('if there is no project ID, no requests are sent to the server, and an alert explains why [R8.8]', async () => {
    const server = fakeFetch({})
    const { latchkey, clock } = await openPage({ server: 'https://connect.example', debug: true }, { server })
    expect(latchkey.state.get().alert?.text).toBe('Project ID Not Configured')
    expect(await latchkey.directory()).toBeUndefined()
    latchkey.modal.open()
    await clock.pass(1000)
    expect(server.calls).toEqual([])
  })

  test('a 403 from analytics shows “Invalid App Configuration” once [R6.2] [R8.8]', async () => {
    const server = fakeFetch({
      '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
      '/e': () => new Response('', { status: 403 }),
    })
    const { latchkey, clock } = await openPage(
      { server: 'https://connect.example', projectId: 'p', debug: true },
      { server },
    )
    latchkey.modal.open()
    await clock.pass(100)
    expect(latchkey.state.get().alert?.text).toBe('Invalid App Configuration')
    latchkey.hideAlert()
    latchkey.modal.close()
    latchkey.modal.open()
    await clock.pass(100)
    expect(server.to('/e').length).toBeGreaterThan(1)
    expect(latchkey.state.get().alert).toBeUndefined()
  })

  test.each([401, 403])(
    'a directory that responds with %i to a list, a page or a search shows “Invalid App Configuration” once [R8.8] [R8.13]',
    async (status) => {
      for (const ask of ['prefetch', 'nextPage', 'search'] as const) {
        const server = fakeFetch({
          '/getWallets': () => new Response('', { status }),
          '/projects': () => ({ allowedOrigins: [] }),
        })
        const { latchkey, clock } = await openPage(
          { server: 'https://connect.example', projectId: 'p', debug: true },
          { server },
        )
        const found = await latchkey.directory()
        const requesting = ask === 'search' ? found?.search('a') : found?.[ask]()
        await clock.pass(300)
        await requesting
        expect(latchkey.state.get().alert).toEqual({
          code: 'app/origin-not-allowed',
          text: 'Invalid App Configuration',
        })
        latchkey.hideAlert()
        await found?.prefetch()
        expect(latchkey.state.get().alert).toBeUndefined()
      }
    },
  )

  test('any other error from the directory or analytics does not show “Invalid App Configuration” [R8.8]', async () => {
    const server = fakeFetch({
      '/getWallets': () => new Response('', { status: 500 }),
      '/projects': () => ({ allowedOrigins: [] }),
      '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
      '/e': () => new Response('', { status: 500 }),
    })
    const { latchkey, clock } = await openPage(
      { server: 'https://connect.example', projectId: 'p', debug: true },
      { server },
    )
    latchkey.modal.open()
    await (await latchkey.directory())?.prefetch()
    await clock.pass(100)
    expect(server.to('/e').length).toBeGreaterThan(0)
    expect(latchkey.state.get().alert).toBeUndefined()
  })

  test('an empty project ID is treated as missing [R8.8]', async () => {
    const server = fakeFetch({})
    const { latchkey } = await openPage({ server: 'https://connect.example', projectId: '', debug: true }, { server })
    expect(latchkey.state.get().alert).toEqual({ code: 'app/no-project', text: 'Project ID Not Configured' })
    expect(await latchkey.directory()).toBeUndefined()
    expect(server.calls).toEqual([])
  })

  test('a missing project ID is only reported if a server is configured [R8.8]', async () => {
    for (const options of [{}, { projectId: 'p' }, { server: 'https://connect.example', projectId: 'p' }]) {
      const { latchkey } = await openPage({ ...options, debug: true })
      expect(latchkey.state.get().alert).toBeUndefined()
      expect(latchkey.log.entries().filter(({ level }) => level === 'error')).toEqual([])
    }
  })

  test.each([200, 400, 401, 404, 429, 500, 503])(
    'a %i response from analytics does not trigger an alert [R6.2]',
    async (status) => {
      const server = fakeFetch({
        '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
        '/e': () => new Response('{}', { status }),
      })
      const { latchkey, clock } = await openPage(
        { server: 'https://connect.example', projectId: 'p', debug: true },
        { server },
      )
      latchkey.modal.open()
      await clock.pass(100)
      expect(server.to('/e').length).toBeGreaterThan(0)
      expect(latchkey.state.get().alert).toBeUndefined()
    },
  )

  test('a 403 from a separate analytics URL is logged, and also triggers an alert in debug mode [R6.2]', async () => {
    const server = fakeFetch({
      '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
      '/e': ({ url }) => new Response('', { status: url.host === 'pulse.example' ? 403 : 200 }),
    })
    for (const debug of [true, false]) {
      const page = await openPage(
        { server: 'https://connect.example', analyticsUrl: 'https://pulse.example', projectId: 'p', debug },
        { server },
      )
      page.latchkey.modal.open()
      await page.clock.pass(100)
      expect(page.latchkey.state.get().alert?.code).toBe(debug ? 'app/origin-not-allowed' : undefined)
      expect(texts(page).join()).toContain('The analytics service rejected this origin (403).')
    }
  })

  test('a directory that rejects the page also shows “Invalid App Configuration” [R6.2] [R8.7]', async () => {
    const server = fakeFetch({
      '/getWallets': () => new Response('', { status: 401 }),
      '/projects': () => ({ allowedOrigins: [] }),
    })
    const { latchkey } = await openPage({ server: 'https://connect.example', projectId: 'p', debug: true }, { server })
    await (await latchkey.directory())?.prefetch()
    expect(latchkey.state.get().alert?.text).toBe('Invalid App Configuration')
  })
})

test.each([
  ['https://shop.example', undefined],
  ['https://shop.example.evil.example', 'Invalid App Configuration'],
])('if the operator only allows shop.example, a page on %s shows the alert %s [R8.7]', async (origin, alert) => {
  vi.stubGlobal('location', { origin, protocol: 'https:' })
  const server = fakeFetch({
    '/getWallets': () => ({ data: [], count: 0 }),
    '/projects': () => ({ allowedOrigins: ['https://shop.example'] }),
  })
  const { latchkey } = await openPage({ server: 'https://connect.example', projectId: 'p', debug: true }, { server })
  await (await latchkey.directory())?.prefetch()
  expect(latchkey.state.get().alert?.text).toBe(alert)
  vi.unstubAllGlobals()
})

test('two services that reject the page trigger a single alert [R8.8]', async () => {
  const refuse = () => new Response('', { status: 403 })
  const server = fakeFetch({
    '/getWallets': refuse,
    '/e': refuse,
    '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
  })
  const { latchkey, clock } = await openPage(
    { server: 'https://connect.example', projectId: 'p', debug: true },
    { server },
  )
  await (await latchkey.directory())?.prefetch()
  latchkey.hideAlert()
  latchkey.modal.open()
  await clock.pass(100)
  expect(server.to('/e').length).toBeGreaterThan(0)
  expect(latchkey.state.get().alert).toBeUndefined()
})

test('a connection is removed even if it cannot be closed, and every cause is reported [R8.8]', async () => {
  const wallet = fakeConnector({ endFails: 'the relay is down' })
  const { latchkey } = await openPage({}, { wallet })
  await latchkey.connect({ connectorId: wallet.id })
  await expect(latchkey.disconnect()).rejects.toMatchObject({
    message: 'Failed to disconnect',
    details: { message: 'the relay is down' },
    cause: { errors: [{ message: 'the relay is down' }] },
  })
  expect(latchkey.account().status).toBe('disconnected')
})

test('an HTTP error has the message “HTTP status code: n” and the response as its cause [R8.13]', async () => {
  expect([httpForbidden, httpUnavailable]).toEqual([403, 503])
  for (const status of [httpForbidden, httpUnavailable]) {
    const fetched = fetchJson({
      fetch: async () => new Response('', { status }),
      url: 'https://a.example/x?projectId=p',
      schema: getAnalyticsConfig.query,
    })
    await expect(fetched).rejects.toMatchObject({
      message: `HTTP status code: ${status}`,
      details: { status, url: 'https://a.example/x' },
      cause: { status },
    })
  }
})

describe('account', () => {
  const evm = 'eip155:1'
  const open = async (answers: Parameters<typeof fakeFetch>[0], chains = [evm]) => {
    const server = fakeFetch({
      '/v1/supported-chains': () => ({ http: chains, ws: [] }),
      '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
      '/e': () => ({}),
      ...answers,
    })
    const page = await openPage({ server: 'https://connect.example', projectId: 'p' }, { server })
    page.latchkey.modal.open()
    await page.connect()
    return page
  }

  test('“Failed to fetch transactions” is shown, and the event is sent; without an account, nothing is fetched [R8.12]', async () => {
    const page = await open({ '/v1/account': () => new Response('', { status: 503 }) })
    const history = await page.latchkey.transactions()
    await history?.fetch()
    expect(page.latchkey.state.get().toast).toMatchObject({ kind: 'error', text: 'Failed to fetch transactions' })
    expect(history?.state.get()).toMatchObject({
      transactions: [],
      empty: true,
      error: { code: 'transactions/failed' },
    })
    await page.clock.pass(1000)
    const sent = page.server.to('/e').map(({ body }) => (body as { props: object }).props)
    expect(sent).toContainEqual(
      expect.objectContaining({
        event: 'ERROR_FETCH_TRANSACTIONS',
        properties: expect.objectContaining({ message: 'Failed to fetch transactions' }),
      }),
    )
    await page.latchkey.disconnect()
    await expect(history?.fetch()).rejects.toThrow("Transactions can't be fetched without an accountAddress")
  })

  test.each([
    ['the request fails', [evm]],
    ['the server does not support the network', ['eip155:10']],
  ])('“Token Balance Unavailable” is the error if %s [R8.12]', async (_, chains) => {
    const page = await open({ '/v1/account': () => new Response('', { status: 500 }) }, chains)
    const portfolio = await page.latchkey.portfolio()
    await portfolio?.refresh()
    expect(portfolio?.state.get().tokens).toMatchObject({
      status: 'failed',
      error: { code: 'balance/unavailable', message: 'Token Balance Unavailable' },
    })
  })

  test('sending without an amount, a recipient or a token, or on another family, rejects with the specified messages [R8.12]', async () => {
    const ether = {
      name: 'Ether',
      symbol: 'ETH',
      chainId: evm,
      price: 0,
      quantity: { decimals: '18', numeric: '2' },
      iconUrl: '',
    }
    const page = await open({ '/v1/account': () => ({ balances: [ether] }) })
    const send = await page.latchkey.send()
    await send?.open()
    await page.clock.pass(1000)
    await expect(send?.submit({ label: '' })).rejects.toThrow('An amount and receiver address are required')
    send?.setAmount('1')
    send?.setRecipient('0x2546BcD3c84621e976D8185a91A922aE77ECEc30')
    send?.setToken('')
    await page.clock.pass(1000)
    await expect(send?.submit({ label: '' })).rejects.toThrow('A token is required')
    const bitcoin = fakeConnector({ id: 'io.bitcoin', namespace: 'bip122' })
    const other = await openPage({ adapters: [fakeAdapter({ namespace: 'bip122', wallets: [bitcoin] })] })
    await other.latchkey.connect({ connectorId: bitcoin.id })
    const elsewhere = await other.latchkey.send()
    await expect(elsewhere?.submit({ label: '' })).rejects.toThrow('Unsupported chain')
  })
})
