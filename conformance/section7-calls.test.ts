import { describe, expect, test, vi } from 'vitest'
import packageJson from '../packages/core/package.json' with { type: 'json' }
import { serverUrls } from '../packages/core/src/lib/serverUrls.ts'
import type { LatchkeyOptions } from '../packages/core/src/options.ts'
// Loads the lazily imported chunks up front so that no test waits for them.
import '../packages/core/src/signIn/authentication/serverAuthentication.ts'
import '../packages/core/src/signIn/authentication/lazyServerAuthentication.ts'
import '../packages/core/src/modal/modalSignIn.ts'
import { type FakeFetch, fakeAdapter, fakeFetch } from '../packages/core/src/testing/index.ts'
import { version } from '../packages/core/src/version.ts'
import type { Wallet } from '../packages/protocol/src/http/publicRoutes.ts'
import { coinbaseWalletIds, phantomWalletId } from '../packages/protocol/src/specificationConstants.ts'
import { openPage } from './testPage.ts'

const wallet = (id: string, change: Partial<Wallet> = {}): Wallet => ({
  id,
  name: `Wallet ${id}`,
  chains: ['eip155:1'],
  ...change,
})
const picture = () => new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } })

async function withServer(options: LatchkeyOptions = {}, answers: Parameters<typeof fakeFetch>[0] = {}) {
  const server = fakeFetch({
    '/getWallets': () => ({ data: [], count: 0 }),
    '/getWalletImage': picture,
    '/public': picture,
    '/projects/v1/origins': () => ({ allowedOrigins: [] }),
    '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
    '/e': () => ({}),
    ...answers,
  })
  const page = await openPage({ server: 'https://connect.example', projectId: 'p', ...options }, { server })
  return { ...page, server, directory: async () => (await page.latchkey.directory()) ?? expect.fail('no directory') }
}
const queries = (server: FakeFetch) => server.to('/getWallets').map(({ url }) => Object.fromEntries(url.searchParams))

test('every directory request includes projectId, st and sv [R7.2]', async () => {
  const { server, directory, clock } = await withServer({ featuredWalletIds: ['a'] })
  const found = await directory()
  void found.prefetch()
  void found.image('wallet', 'i')
  await clock.pass(0)
  expect(server.calls.length).toBeGreaterThan(3)
  for (const { url } of server.calls) {
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      projectId: 'p',
      st: 'latchkey',
      sv: `react-${version}`,
    })
  }
  expect(version).toBe(packageJson.version)
})

test('requests for lists, pages, searches, images, origins and analytics include projectId, st and sv [R7.2]', async () => {
  const { latchkey, server, directory, clock } = await withServer(
    { featuredWalletIds: ['f'], excludeWalletIds: ['x'] },
    { '/getWallets': () => ({ data: [wallet('a', { image_id: 'i' })], count: 80 }) },
  )
  latchkey.modal.open()
  const found = await directory()
  await found.prefetch()
  await found.nextPage()
  await found.nextPage()
  void found.search('a')
  for (const kind of ['asset', 'currency', 'token'] as const) await found.image(kind, 'n')
  await clock.pass(300)
  const sent = server.calls.map(({ url }) => ({
    path: url.pathname,
    identity: ['projectId', 'st', 'sv'].map((name) => url.searchParams.getAll(name)),
  }))
  expect(new Set(sent.map(({ path }) => path))).toEqual(
    new Set([
      '/getWallets',
      '/getWalletImage/i',
      '/public/getAssetImage/n',
      '/public/getCurrencyImage/n',
      '/public/getTokenImage/n',
      '/projects/v1/origins',
      '/getAnalyticsConfig',
      '/e',
    ]),
  )
  // The featured, excluded and recommended wallets, two pages, and a search.
  expect(server.to('/getWallets')).toHaveLength(6)
  for (const { path, identity } of sent)
    expect([path, identity]).toEqual([path, [['p'], ['latchkey'], [`react-${packageJson.version}`]]])
})

const [coinbaseWalletId] = coinbaseWalletIds

describe('GET /getWallets', () => {
  test('featured wallets are requested by the configured IDs and keep their order [R7.3]', async () => {
    const { server, directory } = await withServer(
      { featuredWalletIds: ['b', 'a'] },
      { '/getWallets': ({ url }) => ({ data: url.searchParams.get('include') ? [wallet('a'), wallet('b')] : [] }) },
    )
    const found = await directory()
    await found.prefetch()
    expect(queries(server)[0]).toMatchObject({ include: 'b,a', entries: '2' })
    expect(found.state.get().featured).toMatchObject({ value: [{ id: 'b' }, { id: 'a' }] })
  })

  test('by default, four recommended wallets and no featured wallets are requested [R7.3]', async () => {
    const { server, directory } = await withServer({ includeWalletIds: ['i', 'j'], excludeWalletIds: ['x'] })
    await (await directory()).prefetch()
    expect(queries(server)).toContainEqual(
      expect.objectContaining({ page: '1', entries: '4', include: 'i,j', exclude: 'x', chains: 'eip155:1,eip155:10' }),
    )
    expect(queries(server)).toHaveLength(2) // The second request is for the excluded wallets.
  })

  test('each request has exactly the parameters for the host’s wallets and networks [R7.3]', async () => {
    const { server, directory, clock } = await withServer(
      { featuredWalletIds: ['f', 'g', 'h'], includeWalletIds: ['i', 'j'], excludeWalletIds: ['x', 'y'] },
      {
        '/getWallets': ({ url }) => {
          const include = url.searchParams.get('include')
          if (include === 'f,g,h') return { data: [wallet('h'), wallet('f')], count: 2 }
          return { data: url.searchParams.get('entries') === '4' ? [wallet('r')] : [wallet('p')], count: 99 }
        },
      },
    )
    const found = await directory()
    await found.prefetch()
    await found.nextPage()
    await found.nextPage()
    void found.search('meta', { badge: 'certified' })
    await clock.pass(300)
    const chains = 'eip155:1,eip155:10'
    const params = queries(server).map(({ projectId, st, sv, ...rest }) => rest)
    const [featured, recommended, excluded] = ['3', '4', '2'].map((entries) =>
      params.find((query) => query.entries === entries),
    )
    expect(featured).toEqual({ page: '1', entries: '3', include: 'f,g,h' })
    expect(recommended).toEqual({ page: '1', entries: '4', include: 'i,j', exclude: 'x,y,f,g,h', chains })
    expect(excluded).toEqual({ page: '1', entries: '2', include: 'x,y' })
    const paged = { entries: '40', include: 'i,j', exclude: 'f,h,r,x,y', chains }
    expect(params.slice(3)).toEqual([
      { ...paged, page: '1' },
      { ...paged, page: '2' },
      { page: '1', entries: '100', search: 'meta', badge_type: 'certified', include: 'i,j', exclude: 'x,y' },
    ])
    expect(found.state.get().featured).toMatchObject({ value: [{ id: 'f' }, { id: 'h' }] })
  })

  test('requests omit the lists that the host does not configure, and a search by badge needs no text [R7.3]', async () => {
    const { server, directory, clock } = await withServer({ adapters: [fakeAdapter({ networks: [] })] })
    const found = await directory()
    await found.prefetch()
    await found.nextPage()
    void found.search('', { badge: 'certified' })
    await clock.pass(300)
    expect(queries(server).map(({ projectId, st, sv, ...rest }) => rest)).toEqual([
      { page: '1', entries: '4' },
      { page: '1', entries: '40' },
      { page: '1', entries: '100', search: '', badge_type: 'certified' },
    ])
  })

  test('a response without a count ends the list [R7.3]', async () => {
    const { server, directory } = await withServer({}, { '/getWallets': () => ({ data: [wallet('a')] }) })
    const found = await directory()
    await found.nextPage()
    expect(found.state.get().pages).toMatchObject({ status: 'ready', value: { count: 0, wallets: [{ id: 'a' }] } })
    await found.nextPage()
    expect(queries(server)).toHaveLength(1)
  })

  test.each<[platform: 'mobile' | 'desktop', solana: boolean, expected: readonly string[]]>([
    ['mobile', false, ['link', ...coinbaseWalletIds]],
    ['mobile', true, ['link', ...coinbaseWalletIds, phantomWalletId]],
    ['desktop', false, ['link', 'none', 'empty', ...coinbaseWalletIds, phantomWalletId]],
  ])(
    'on %s (Solana support: %s), featured wallets and search results are filtered [R7.3]',
    async (platform, solana, expected) => {
      const all = ['link', 'none', 'empty', ...coinbaseWalletIds, phantomWalletId]
      const links: Readonly<Record<string, string>> = { link: 'w://', empty: '' }
      const { directory, clock } = await withServer(
        {
          platform,
          featuredWalletIds: all,
          adapters: [fakeAdapter(), ...(solana ? [fakeAdapter({ namespace: 'solana' })] : [])],
        },
        {
          '/getWallets': () => ({
            data: all.slice(0, 6).map((id) => wallet(id, { mobile_link: links[id] })),
            count: 6,
          }),
        },
      )
      const found = await directory()
      void found.search('w')
      await clock.pass(300)
      await found.prefetch()
      const { featured, search } = found.state.get()
      const wallets = expected.map((id) => ({ id }))
      expect(featured).toMatchObject({ value: wallets })
      expect(search.result).toMatchObject({ value: wallets })
    },
  )

  test('recommended wallets are also filtered on a phone [R7.3]', async () => {
    const data = [wallet('link', { mobile_link: 'w://' }), wallet('none'), wallet(coinbaseWalletId)]
    const { directory } = await withServer({ platform: 'mobile' }, { '/getWallets': () => ({ data, count: 3 }) })
    const found = await directory()
    await found.prefetch()
    expect(found.state.get().recommended).toMatchObject({ value: [{ id: 'link' }, { id: coinbaseWalletId }] })
  })

  test('excluded wallets are requested once so that their connectors can be hidden [R7.3]', async () => {
    const { latchkey, directory } = await withServer(
      { excludeWalletIds: ['x'] },
      {
        '/getWallets': ({ url }) => ({
          data: url.searchParams.get('include') ? [wallet('x', { rdns: 'io.example' })] : [],
        }),
      },
    )
    expect(latchkey.shown()).toHaveLength(1)
    await (await directory()).prefetch()
    expect(latchkey.shown()).toHaveLength(0)
  })

  test('pages of forty entries are appended without duplicates, and the count never decreases [R7.3]', async () => {
    const counts = [80, 60]
    const { server, directory } = await withServer(
      { excludeWalletIds: ['x'] },
      {
        '/getWallets': ({ url }) => {
          const page = Number(url.searchParams.get('page'))
          return { data: [wallet('same'), wallet(`p${page}`)], count: counts[page - 1] ?? 0 }
        },
      },
    )
    const found = await directory()
    await found.nextPage()
    await found.nextPage()
    expect(queries(server).map(({ page, entries }) => [page, entries])).toEqual([
      ['1', '40'],
      ['2', '40'],
    ])
    expect(found.state.get().pages).toMatchObject({
      status: 'ready',
      value: { page: 2, count: 80, wallets: [{ id: 'same' }, { id: 'p1' }, { id: 'p2' }] },
    })
    await found.nextPage()
    expect(queries(server)).toHaveLength(2)
  })

  test('the list of all wallets starts with the recommended wallets if they have loaded, and its count includes them [R7.3]', async () => {
    const { server, directory } = await withServer(
      {},
      {
        '/getWallets': ({ url }) =>
          url.searchParams.get('entries') === '4'
            ? { data: [wallet('r')], count: 42 }
            : { data: [wallet('p')], count: 41 },
      },
    )
    const found = await directory()
    await found.prefetch()
    await found.nextPage()
    expect(queries(server).at(-1)).toMatchObject({ page: '1', entries: '40', exclude: 'r' })
    expect(found.state.get().pages).toMatchObject({ value: { count: 42, wallets: [{ id: 'r' }, { id: 'p' }] } })
    await found.nextPage()
    expect(queries(server).at(-1)).toMatchObject({ page: '2' })
    await found.nextPage()
    expect(queries(server).at(-1)).toMatchObject({ page: '2' })
  })

  test('recommended wallets that load later do not affect the pages [R7.3]', async () => {
    const { server, directory } = await withServer({}, { '/getWallets': () => ({ data: [wallet('r')], count: 80 }) })
    const found = await directory()
    await found.nextPage()
    await found.prefetch()
    await found.nextPage()
    expect(queries(server).at(-1)).toMatchObject({ page: '2', entries: '40' })
    expect(queries(server).at(-1)).not.toHaveProperty('exclude')
  })

  test('a page omits wallets that support none of the configured chains, and chain IDs are compared in full [R7.3]', async () => {
    const { directory } = await withServer(
      { adapters: [fakeAdapter({ networks: [] })] },
      { '/getWallets': () => ({ data: [wallet('a', { chains: ['eip155:10'] })], count: 1 }) },
    )
    const any = await directory()
    await any.nextPage()
    expect(any.state.get().pages).toMatchObject({ value: { wallets: [{ id: 'a' }] } })
    const strict = await (
      await withServer(
        {},
        { '/getWallets': () => ({ data: [wallet('a', { chains: ['eip155:100'] }), wallet('b')], count: 2 }) },
      )
    ).directory()
    await strict.nextPage()
    expect(strict.state.get().pages).toMatchObject({ value: { wallets: [{ id: 'b' }] } })
  })

  test.each<[boolean, readonly string[]]>([
    [false, ['link', coinbaseWalletId]],
    [true, ['link', coinbaseWalletId, phantomWalletId]],
  ])(
    'on a phone (Solana support: %s), a page keeps wallets with a mobile link, Coinbase, and, if Solana is supported, Phantom [R7.3]',
    async (solana, expected) => {
      const { directory } = await withServer(
        { platform: 'mobile', adapters: [fakeAdapter(), ...(solana ? [fakeAdapter({ namespace: 'solana' })] : [])] },
        {
          '/getWallets': () => ({
            data: [
              wallet('link', { mobile_link: 'w://' }),
              wallet('none'),
              wallet(coinbaseWalletId),
              wallet(phantomWalletId),
            ],
            count: 4,
          }),
        },
      )
      const found = await directory()
      await found.nextPage()
      expect(found.state.get().pages).toMatchObject({ value: { count: 4, wallets: expected.map((id) => ({ id })) } })
    },
  )

  test('a search by badge is also filtered on a phone, with or without a search text [R7.3]', async () => {
    const data = [wallet('link', { mobile_link: 'w://' }), wallet('none'), wallet(coinbaseWalletId)]
    const { directory, clock } = await withServer({ platform: 'mobile' }, { '/getWallets': () => ({ data, count: 3 }) })
    const found = await directory()
    for (const text of ['', 'wallet']) {
      void found.search(text, { badge: 'certified' })
      await clock.pass(300)
      expect(found.state.get().search.result).toMatchObject({
        status: 'ready',
        value: [{ id: 'link' }, { id: coinbaseWalletId }],
      })
    }
  })

  test.each([1, 5, 41, 101])('%i featured wallets are loaded in a single request [R7.3]', async (count) => {
    const ids = Array.from({ length: count }, (_, at) => `w${at}`)
    const { server, directory } = await withServer(
      { featuredWalletIds: ids },
      {
        '/getWallets': ({ url }) => {
          const included = url.searchParams.get('include')?.split(',') ?? []
          return { data: included.slice(0, Number(url.searchParams.get('entries'))).map((id) => wallet(id)) }
        },
      },
    )
    const found = await directory()
    await found.prefetch()
    expect(queries(server)[0]).toMatchObject({ page: '1', entries: String(count), include: ids.join(',') })
    expect(found.state.get().featured).toMatchObject({ value: ids.map((id) => ({ id })) })
  })

  test.each(['\u00a0', '\u2003', '\u3000', '\ufeff', '\u2028', '\v', '\f', ' \t\r\n'])(
    'whitespace such as %j is trimmed from a search, and a search that contains only whitespace is sent only with a badge [R5.9]',
    async (space) => {
      const { server, directory, clock } = await withServer()
      const found = await directory()
      for (const params of [{}, { badge: 'certified' }] as const) {
        void found.search(`${space}meta mask${space}${space}`, params)
        expect(found.state.get().search.text).toBe('meta mask')
        await clock.pass(300)
        expect(queries(server).at(-1)).toMatchObject({ search: 'meta mask' })
      }
      void found.search(space, { badge: 'certified' })
      await clock.pass(300)
      expect(queries(server).at(-1)).toMatchObject({ search: '', badge_type: 'certified' })
      await found.search(space)
      expect(queries(server)).toHaveLength(3)
      expect(found.state.get().search).toEqual({ text: '', result: { status: 'idle' } })
    },
  )

  test('a search is trimmed and requests one hundred entries [R5.9] [R7.3]', async () => {
    const { server, directory, clock } = await withServer()
    const found = await directory()
    void found.search(' \t meta mask\n ')
    expect(found.state.get().search.text).toBe('meta mask')
    await clock.pass(300)
    expect(queries(server)).toMatchObject([{ search: 'meta mask', entries: '100', page: '1' }])
    expect(found.state.get().search).toMatchObject({ text: 'meta mask', result: { status: 'ready' } })
    await found.search('   ')
    expect(queries(server)).toHaveLength(1)
    expect(found.state.get().search).toEqual({ text: '', result: { status: 'idle' } })
  })

  test('analytics report the trimmed search text [R5.9]', async () => {
    const { latchkey, server, directory, clock } = await withServer()
    latchkey.modal.open()
    void (await directory()).search('  meta ')
    await clock.pass(400)
    const events = server.to('/e').map(({ body }) => (body as { props: { event: string; properties: object } }).props)
    expect(events.filter(({ event }) => event === 'SEARCH_WALLET')).toMatchObject([{ properties: { search: 'meta' } }])
  })

  test('a search clears the previous result immediately and shows the new one after at least 300 ms [R9.15]', async () => {
    const { directory, clock } = await withServer({}, { '/getWallets': () => ({ data: [wallet('a')], count: 1 }) })
    const found = await directory()
    void found.search('a')
    expect(found.state.get().search.result).toEqual({ status: 'loading' })
    await clock.pass(299)
    expect(found.state.get().search.result.status).toBe('loading')
    await clock.pass(1)
    expect(found.state.get().search.result).toMatchObject({ status: 'ready', value: [{ id: 'a' }] })
  })

  test('a failed search shows its error after at least 300 ms, and a slow search is not delayed further [R9.15]', async () => {
    let answer = (_: unknown): void => {}
    const { directory, clock } = await withServer(
      {},
      {
        '/getWallets': ({ url }) =>
          url.searchParams.get('search') === 'slow'
            ? new Promise((resolve) => (answer = resolve))
            : new Response('', { status: 500 }),
      },
    )
    const found = await directory()
    const status = () => found.state.get().search.result.status
    void found.search('a')
    await clock.pass(299)
    expect(status()).toBe('loading')
    await clock.pass(1)
    expect(status()).toBe('failed')
    void found.search('slow')
    await clock.pass(1_000)
    expect(status()).toBe('loading')
    answer({ data: [wallet('a')], count: 1 })
    await clock.pass(0)
    expect(status()).toBe('ready')
  })

  test('a stale response never overwrites a newer one [R7.3]', async () => {
    const answers: Record<string, (answer: unknown) => void> = {}
    const { directory, clock } = await withServer(
      {},
      {
        '/getWallets': ({ url }) => new Promise((resolve) => (answers[url.searchParams.get('search') ?? ''] = resolve)),
      },
    )
    const found = await directory()
    void found.search('old')
    await clock.pass(0)
    void found.search('new')
    await clock.pass(300)
    answers.new?.({ data: [wallet('new')], count: 1 })
    await clock.pass(0)
    answers.old?.({ data: [wallet('old')], count: 1 })
    await clock.pass(300)
    expect(found.state.get().search).toMatchObject({ text: 'new', result: { value: [{ id: 'new' }] } })
  })

  test('a failed request shows an error and can be retried, and a successful response is cached [R7.3]', async () => {
    let down = true
    const { server, directory } = await withServer(
      {},
      {
        '/getWallets': () => (down ? new Response('', { status: 500 }) : { data: [wallet('a')], count: 1 }),
      },
    )
    const found = await directory()
    await found.prefetch()
    expect(found.state.get().recommended).toMatchObject({
      status: 'failed',
      error: { message: 'HTTP status code: 500' },
    })
    down = false
    await found.prefetch()
    expect(found.state.get().recommended).toMatchObject({ status: 'ready', value: [{ id: 'a' }] })
    await found.prefetch()
    expect(queries(server)).toHaveLength(2)
  })

  test.each<[string, () => unknown]>([
    ['invalid JSON', () => new Response('<html>')],
    ['wrong types', () => ({ data: [{ id: 1 }] })],
    ['more entries than requested', () => ({ data: Array.from({ length: 41 }, (_, at) => wallet(String(at))) })],
    ['a huge response', () => new Response('x'.repeat(6_000_000))],
  ])('a malformed directory response is reported as an error: %s [R7.3]', async (_, answer) => {
    const { directory } = await withServer({}, { '/getWallets': answer })
    const found = await directory()
    await found.nextPage()
    expect(found.state.get().pages).toMatchObject({ status: 'failed', error: { code: 'http/malformed' } })
  })
})

describe('images', () => {
  test.each([
    ['wallet', '/getWalletImage/i'],
    ['asset', '/public/getAssetImage/i'],
    ['currency', '/public/getCurrencyImage/i'],
    ['token', '/public/getTokenImage/i'],
  ] as const)('a %s image is requested once from its own path and becomes a blob URL [R7.4]', async (kind, path) => {
    const png = () => new Response('x', { headers: { 'content-type': 'image/png' } })
    const { server, directory } = await withServer({}, { [path]: png })
    const found = await directory()
    const url = await found.image(kind, 'i')
    expect(url).toMatch(/^blob:/)
    expect(await found.image(kind, 'i')).toBe(url)
    expect(server.calls.map((call) => call.url.pathname)).toEqual([path])
  })

  test.each(['wallet', 'asset', 'currency', 'token'] as const)(
    'a %s image of any type becomes a blob URL, but an error or a response that is not an image does not [R7.4]',
    async (kind) => {
      const images = (type: string, status = 200) => {
        const image = () => new Response('x', { status, headers: { 'content-type': type } })
        return withServer({}, { '/getWalletImage': image, '/public': image })
      }
      for (const type of ['image/png', 'image/webp', 'image/jpeg', 'image/gif']) {
        const { directory } = await images(type)
        expect(await (await directory()).image(kind, 'i')).toMatch(/^blob:/)
      }
      for (const { directory } of [await images('image/png', 404), await images('text/html'), await images('')])
        expect(await (await directory()).image(kind, 'i')).toBeUndefined()
    },
  )

  test('an ID cannot redirect an image request to a different path [R7.4]', async () => {
    const { server, directory } = await withServer()
    await (await directory()).image('token', '../e?x=1#')
    expect(server.calls.map(({ url }) => url.pathname)).toEqual(['/public/getTokenImage/..%2Fe%3Fx%3D1%23'])
  })

  test('twenty of forty images are prefetched, and a failure does not affect the list [R7.4, R9.15]', async () => {
    const { server, directory } = await withServer(
      {},
      {
        '/getWallets': () => ({
          data: Array.from({ length: 40 }, (_, at) => wallet(String(at), { image_id: `i${at}` })),
          count: 40,
        }),
        '/getWalletImage/i3': () => new Response('', { status: 500 }),
      },
    )
    const found = await directory()
    await found.nextPage()
    expect(server.to('/getWalletImage')).toHaveLength(20)
    expect(found.state.get().pages).toMatchObject({ status: 'ready', value: { count: 40 } })
  })

  test('the images of the first twenty wallets of each page are prefetched, in order [R9.15]', async () => {
    const page = (number: number) =>
      Array.from({ length: 40 }, (_, at) => wallet(`${number}-${at}`, { image_id: `${number}-${at}` }))
    const { server, directory } = await withServer(
      {},
      { '/getWallets': ({ url }) => ({ data: page(Number(url.searchParams.get('page'))), count: 80 }) },
    )
    const found = await directory()
    const fetched = () => server.to('/getWalletImage').map(({ url }) => url.pathname.split('/').pop())
    const first = (number: number) => Array.from({ length: 20 }, (_, at) => `${number}-${at}`)
    await found.nextPage()
    expect(fetched()).toEqual(first(1))
    await found.nextPage()
    expect(fetched()).toEqual([...first(1), ...first(2)])
    expect(found.state.get().pages).toMatchObject({ status: 'ready', value: { count: 80 } })
  })

  test.each([
    ['featured wallets', 'featured', 'prefetch'],
    ['recommended wallets', 'recommended', 'prefetch'],
    ['search results', 'search', 'search'],
  ] as const)('slow images delay the %s by at most two seconds [R9.15]', async (_, list, way) => {
    const { directory, clock } = await withServer(
      { featuredWalletIds: ['a'] },
      {
        '/getWallets': () => ({ data: [wallet('a', { image_id: 'i' })], count: 1 }),
        '/getWalletImage': () => new Promise(() => {}),
      },
    )
    const found = await directory()
    const status = () => (list === 'search' ? found.state.get().search.result : found.state.get()[list]).status
    void (way === 'search' ? found.search('a') : found.prefetch())
    await clock.pass(1999)
    expect(status()).toBe('loading')
    await clock.pass(1)
    expect(status()).toBe('ready')
  })

  test('images that load immediately do not delay a list [R9.15]', async () => {
    const { directory } = await withServer(
      {},
      { '/getWallets': () => ({ data: [wallet('a', { image_id: 'i' })], count: 1 }) },
    )
    const found = await directory()
    await found.nextPage()
    expect(found.state.get().pages.status).toBe('ready')
  })

  test('slow images delay a page of wallets by at most two seconds [R9.15]', async () => {
    const { directory, clock } = await withServer(
      {},
      {
        '/getWallets': () => ({ data: [wallet('a', { image_id: 'i' })], count: 1 }),
        '/getWalletImage': () => new Promise(() => {}),
      },
    )
    const found = await directory()
    void found.nextPage()
    await clock.pass(1999)
    expect(found.state.get().pages.status).toBe('loading')
    await clock.pass(1)
    expect(found.state.get().pages.status).toBe('ready')
  })
})

describe('projects', () => {
  test('allowed origins are parsed, and the list is empty after an error [R7.5]', async () => {
    const { directory } = await withServer(
      {},
      { '/projects/v1/origins': () => ({ allowedOrigins: ['https://a.example'] }) },
    )
    expect(await (await directory()).origins()).toEqual(['https://a.example'])
    const broken = await withServer({}, { '/projects/v1/origins': () => new Response('', { status: 503 }) })
    expect(await (await broken.directory()).origins()).toEqual([])
  })

  test.each<[string, () => unknown]>([
    ['the response is an HTML page from a proxy', () => new Response('<html>')],
    ['the value is not a list', () => ({ allowedOrigins: 'https://a.example' })],
    ['an entry is a number', () => ({ allowedOrigins: ['https://shop.example', 7] })],
    ['an entry is null', () => ({ allowedOrigins: [null] })],
    ['an entry is an object', () => ({ allowedOrigins: [{ origin: 'https://shop.example' }] })],
    ['an entry is a list', () => ({ allowedOrigins: [['https://shop.example']] })],
    ['an entry is too long', () => ({ allowedOrigins: [`https://${'a'.repeat(300)}.example`] })],
    ['the server rejects the request', () => new Response('', { status: 403 })],
    ['the server cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('if %s, the list of allowed origins is empty, which allows every origin [R7.5]', async (_, answer) => {
    vi.stubGlobal('location', { origin: 'https://shop.example', protocol: 'https:' })
    try {
      let broken = true
      const { latchkey, server, directory } = await withServer(
        { debug: true },
        { '/projects/v1/origins': () => (broken ? answer() : { allowedOrigins: ['https://a.example'] }) },
      )
      const found = await directory()
      expect(await found.origins()).toEqual([])
      await found.prefetch()
      expect(latchkey.state.get().alert).toBeUndefined()
      // A failure is not cached, but a valid response is.
      broken = false
      const before = server.to('/projects').length
      expect(await found.origins()).toEqual(['https://a.example'])
      expect(await found.origins()).toEqual(['https://a.example'])
      expect(
        server
          .to('/projects')
          .map(({ method, url }) => [method, url.pathname])
          .slice(before),
      ).toEqual([['GET', '/projects/v1/origins']])
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test('the analytics setting is checked once before the first event, and queued events are sent after the check [R7.6]', async () => {
    const { latchkey, server, clock, connect } = await withServer()
    await connect()
    latchkey.modal.open()
    await clock.pass(100)
    latchkey.modal.close()
    await clock.pass(100)
    // The name of the account is another matter.
    const analytics = server.calls.filter(({ url }) => url.pathname !== '/v1/supported-chains')
    expect(analytics.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      'GET /getAnalyticsConfig',
      'POST /e',
      'POST /e',
      'POST /e',
      'POST /e',
    ])
  })

  test('no events are sent if analytics are disabled on the server [R7.6]', async () => {
    const { latchkey, server, clock } = await withServer(
      {},
      { '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: false }) },
    )
    latchkey.modal.open()
    await clock.pass(0)
    latchkey.log.error('broken')
    await clock.pass(100)
    expect(server.calls.map(({ url }) => url.pathname)).toEqual(['/getAnalyticsConfig'])
    // Analytics are enabled or disabled per project.
    expect(server.calls[0]?.url.searchParams.get('projectId')).toBe('p')
  })
})

describe('analytics', () => {
  test('each event is sent as one POST /e with an ID, URL, timestamp and props, except for MODAL_CREATED [R7.7]', async () => {
    const { latchkey, server, clock, connect } = await withServer()
    await connect()
    latchkey.track({ event: 'MODAL_CREATED' })
    latchkey.modal.open()
    await clock.pass(100)
    const events = server.to('/e')
    expect(events.map(({ body }) => (body as { props: { event: string } }).props.event)).toEqual([
      'INITIALIZE',
      'CONNECT_SUCCESS',
      'MODAL_OPEN',
    ])
    expect(events[2]).toMatchObject({
      method: 'POST',
      body: {
        eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: expect.any(String),
        domain: expect.any(String),
        timestamp: expect.any(Number),
        props: {
          type: 'track',
          event: 'MODAL_OPEN',
          properties: { connected: true },
          address: latchkey.account().address,
        },
      },
    })
  })

  test('an event includes the page URL without its query, and includes an address only if an account is connected [R7.7]', async () => {
    vi.stubGlobal('location', {
      href: 'https://shop.example:8443/basket?coupon=secret#top',
      hostname: 'shop.example',
      origin: 'https://shop.example:8443',
      protocol: 'https:',
    })
    try {
      const { latchkey, server, clock } = await withServer()
      const started = clock.now()
      await clock.pass(1234)
      const opened = clock.now()
      latchkey.modal.open()
      await clock.pass(0)
      await clock.pass(5000)
      const events = server.to('/e').map(({ body }) => body as Record<string, unknown>)
      expect(events).toEqual([
        {
          eventId: expect.any(String),
          url: 'https://shop.example:8443/basket',
          domain: 'shop.example',
          timestamp: started,
          props: { type: 'track', event: 'INITIALIZE', properties: expect.objectContaining({ networks: [1, 10] }) },
        },
        {
          eventId: expect.any(String),
          url: 'https://shop.example:8443/basket',
          domain: 'shop.example',
          timestamp: opened,
          props: {
            type: 'track',
            event: 'MODAL_OPEN',
            properties: { connected: false, caipNetworkId: 'eip155:1' },
          },
        },
      ])
      expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2)
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test('MODAL_CREATED is skipped both before and after the analytics client has loaded [R7.7]', async () => {
    const { latchkey, server, clock } = await withServer()
    latchkey.track({ event: 'MODAL_CREATED' })
    latchkey.modal.open()
    await clock.pass(100)
    latchkey.track({ event: 'MODAL_CREATED' })
    latchkey.modal.close()
    await clock.pass(100)
    expect(server.to('/e').map(({ body }) => (body as { props: { event: string } }).props.event)).toEqual([
      'INITIALIZE',
      'MODAL_OPEN',
      'MODAL_CLOSE',
    ])
  })

  test('nothing is sent before the modal is first opened, or at all if analytics are turned off [R7.7]', async () => {
    const idle = await withServer()
    await idle.connect()
    await idle.clock.pass(1000)
    // A connected account has a name.
    expect([...new Set(idle.server.calls.map(({ url }) => url.pathname))]).toEqual(['/v1/supported-chains'])
    const off = await withServer({ features: { analytics: false } })
    off.latchkey.modal.open()
    await off.clock.pass(1000)
    expect(off.server.calls).toEqual([])
  })

  test('host events are emitted even if analytics are turned off [R7.7]', async () => {
    const { latchkey, connect } = await withServer({ features: { analytics: false } })
    const accounts: string[] = []
    latchkey.on('connect', ({ account }) => accounts.push(account))
    await connect()
    expect(accounts).toEqual(['eip155:1:0x1111111111111111111111111111111111111111'])
  })

  test('events can be sent to a separate URL [R7.13]', async () => {
    const { latchkey, server, clock } = await withServer({ analyticsUrl: 'https://pulse.example' })
    latchkey.modal.open()
    await clock.pass(100)
    expect(new Set(server.to('/e').map(({ url }) => url.host))).toEqual(new Set(['pulse.example']))
  })
})

test('the page only sends requests to the specified hosts and paths [R7.14]', async () => {
  const { latchkey, server, directory, clock, connect } = await withServer(
    { featuredWalletIds: ['f'], excludeWalletIds: ['x'] },
    {
      '/getWallets': () => ({ data: [wallet('a', { image_id: 'i' })], count: 1 }),
      '/v1/supported-chains': () => ({ http: ['eip155:1'], ws: [] }),
      '/v1/identity': () => ({ name: 'ann.eth', avatar: null, resolvedAt: null }),
    },
  )
  latchkey.modal.open()
  await connect()
  const found = await directory()
  await found.prefetch()
  await found.nextPage()
  void found.search('a')
  await found.image('asset', 'n')
  await found.image('currency', 'USD')
  await found.image('token', 'ETH')
  await latchkey.switchNetwork('eip155:10')
  await latchkey.disconnect()
  await clock.pass(5000)
  const written = [
    'connect.example/e',
    'connect.example/getAnalyticsConfig',
    'connect.example/getWalletImage/i',
    'connect.example/getWallets',
    'connect.example/projects/v1/origins',
    'connect.example/public/getAssetImage/n',
    'connect.example/public/getCurrencyImage/USD',
    'connect.example/public/getTokenImage/ETH',
    'connect.example/v1/identity/0x1111111111111111111111111111111111111111',
    'connect.example/v1/supported-chains',
  ]
  expect([...new Set(server.calls.map(({ url }) => url.host + url.pathname))].sort()).toEqual(written)
})

test('the page only contacts the sign-in server if sign-in is configured, and never contacts the vault [R7.14]', async () => {
  const pathsOf = async (options: LatchkeyOptions) => {
    const page = await withServer(options, {
      '/auth/v1/nonce': () => new Response('', { status: 503 }),
      '/auth/v1/me': () => Response.json({ code: 'sign-in/not-authenticated', message: 'No.' }, { status: 401 }),
    })
    page.latchkey.modal.open()
    await page.connect()
    await page.clock.pass(5000)
    const signIn = await page.latchkey.signIn()
    await signIn?.sign().catch(() => {})
    await page.clock.pass(100)
    page.stop()
    return [...new Set(page.server.calls.map(({ url }) => url.host + url.pathname))].sort()
  }
  vi.stubGlobal('location', {
    href: 'https://shop.example/',
    origin: 'https://shop.example',
    host: 'shop.example',
    hostname: 'shop.example',
    protocol: 'https:',
  })
  try {
    const plain = ['connect.example/e', 'connect.example/getAnalyticsConfig', 'connect.example/v1/supported-chains']
    expect(await pathsOf({})).toEqual(plain)
    expect(await pathsOf({ signIn: 'off' })).toEqual(plain)
    for (const signIn of ['required', 'optional'] as const)
      expect(await pathsOf({ signIn })).toEqual(['connect.example/auth/v1/me', ...plain])
  } finally {
    vi.unstubAllGlobals()
  }
})

test('no requests are sent if no server is configured [R7.14]', async () => {
  const { latchkey, server, connect, clock } = await openPage()
  latchkey.modal.open()
  await connect()
  expect(await latchkey.directory()).toBeUndefined()
  await clock.pass(5000)
  expect(server.calls).toEqual([])
})

test('the alternative URL comes first in time zones where the primary URL is known to fail [R6.5]', async () => {
  const service = { url: 'https://a.example', alternative: 'https://b.example', projectId: 'p' }
  expect(serverUrls(service, 'Asia/Shanghai')).toEqual(['https://b.example', 'https://a.example'])
  expect(serverUrls(service, 'Asia/Hong_Kong')).toEqual(['https://b.example', 'https://a.example'])
  expect(serverUrls(service, 'Europe/Berlin')).toEqual(['https://a.example', 'https://b.example'])
  expect(serverUrls({ url: 'https://a.example', projectId: 'p' }, 'Asia/Macau')).toEqual(['https://a.example'])
})

/** Sets the page's time zone to `zone` until the mocks are restored. */
function setTimeZone(zone: string) {
  const options = Intl.DateTimeFormat().resolvedOptions()
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone: zone })
}

test('the browser’s time zone determines whether the first request uses the alternative URL [R6.5]', async () => {
  const firstHost = async (zone: string) => {
    setTimeZone(zone)
    const server = fakeFetch({ '/getWallets': () => ({ data: [wallet('a')], count: 1 }) })
    const page = await openPage(
      { server: 'https://one.example', serverAlternative: 'https://two.example', projectId: 'p' },
      { server },
    )
    await (await page.latchkey.directory())?.nextPage()
    page.stop()
    return server.to('/getWallets')[0]?.url.host
  }
  try {
    expect([await firstHost('Asia/Urumqi'), await firstHost('Asia/Tokyo')]).toEqual(['two.example', 'one.example'])
  } finally {
    vi.restoreAllMocks()
  }
})

test.each([
  ['Asia/Macau', 'two.example', 'one.example'],
  ['Asia/Tokyo', 'one.example', 'two.example'],
])(
  'in %s, every request goes to %s first, and to %s if the first host is unreachable [R6.5]',
  async (zone, first, second) => {
    setTimeZone(zone)
    const asksOf = async (isDown: boolean) => {
      const server = fakeFetch({
        '/getWallets': () => ({ data: [wallet('a', { image_id: 'i' })], count: 1 }),
        '/getWalletImage': picture,
        '/projects/v1/origins': () => ({ allowedOrigins: [] }),
        '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
        '/e': () => ({}),
      })
      const requests: string[] = []
      const { latchkey, clock, stop } = await openPage({
        server: 'https://one.example',
        serverAlternative: 'https://two.example',
        projectId: 'p',
        fetch: (input, init) => {
          const { host, pathname } = new URL(String(input))
          requests.push(`${host} ${pathname}`)
          return isDown && host === first ? Promise.reject(new TypeError('Failed to fetch')) : server.fetch(input, init)
        },
      })
      latchkey.modal.open()
      const directory = await latchkey.directory()
      await Promise.all([directory?.nextPage(), directory?.origins()])
      await clock.pass(100)
      stop()
      return requests
    }
    const services = ['/getWallets', '/getWalletImage/i', '/projects/v1/origins', '/getAnalyticsConfig', '/e']
    try {
      const usual = await asksOf(false)
      expect(new Set(usual)).toEqual(new Set(services.map((path) => `${first} ${path}`)))
      const around = await asksOf(true)
      for (const path of services) {
        const hosts = around.filter((request) => request.endsWith(` ${path}`)).map((request) => request.split(' ')[0])
        // Events are sent to the host that answered the analytics check.
        expect(new Set(hosts), path).toEqual(new Set(path === '/e' ? [second] : [first, second]))
        if (path !== '/e') expect(hosts[0]).toBe(first)
      }
    } finally {
      vi.restoreAllMocks()
    }
  },
)

test('the second URL is not tried if the first one rejects the request [R6.5]', async () => {
  const refuse = () => new Response('', { status: 403 })
  const server = fakeFetch({ '/getWallets': refuse, '/getAnalyticsConfig': refuse })
  const { latchkey, clock } = await openPage(
    { server: 'https://one.example', serverAlternative: 'https://two.example', projectId: 'p' },
    { server },
  )
  latchkey.modal.open()
  await (await latchkey.directory())?.nextPage()
  await clock.pass(100)
  expect(new Set(server.calls.map(({ url }) => url.host))).toEqual(new Set(['one.example']))
})

test('the second URL is used if the first one is unreachable [R6.5]', async () => {
  const fake = fakeFetch({ '/getWallets': () => ({ data: [wallet('a')], count: 1 }) })
  const page = await openPage({
    server: 'https://down.example',
    serverAlternative: 'https://up.example',
    projectId: 'p',
    fetch: (input, init) =>
      String(input).includes('down.example')
        ? Promise.reject(new TypeError('Failed to fetch'))
        : fake.fetch(input, init),
  })
  const directory = await page.latchkey.directory()
  await directory?.nextPage()
  expect(directory?.state.get().pages).toMatchObject({ status: 'ready', value: { wallets: [{ id: 'a' }] } })
})
