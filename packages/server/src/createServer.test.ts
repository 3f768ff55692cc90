import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreState } from '@latchkey/protocol/http/healthRoutes'
import { failureAnswer as failure, wallet } from '@latchkey/protocol/http/publicRoutes'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEventIngest } from './analytics/ingestEvents.ts'
import { createDirectory } from './directory/directory.ts'
import { readWalletsFile, type WalletsFile } from './directory/walletsFile.ts'
import type { Server } from './http/routeList.ts'
import { createImages } from './images/walletImages.ts'
import { inMemoryDependencies, inMemoryEvents, inMemoryProjects } from './inMemoryDependencies.ts'
import { createLog } from './monitoring/logger.ts'
import { createMetrics } from './monitoring/metrics.ts'
import { createRpcProxy } from './rpcProxy/rpcProxy.ts'
import { createUpstreams } from './rpcProxy/upstreamNodes.ts'
import type { Log, Project, ServerDependencies } from './serverDependencies.ts'
import { assetsFolder } from './storage/packageFiles.ts'
import { createTestServer } from './testing/declaredErrors.ts'

const identity = 'projectId=5a1c0ffee5a1c0ffee5a1c0ffee5a1c0&st=appkit&sv=react-wagmi-1.7.5'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const metaMaskId = 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96'
const metaMaskImage = 'e30d09fe-c0dd-4b61-81e2-d6dc09eb9700'

const shop: Project = {
  id: 'shop',
  name: 'Shop',
  allowedOrigins: ['https://shop.example', 'https://*.shop.example'],
  features: [],
  analytics: true,
}

let seed: WalletsFile
let dependencies: ServerDependencies

function serve(overrides: Partial<ServerDependencies> = {}): Server {
  return createTestServer({ ...dependencies, ...overrides })
}

function get(server: Server, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return server(new Request(`http://127.0.0.1:4100${path}`, { headers }))
}

function post(server: Server, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return server(new Request(`http://127.0.0.1:4100${path}`, { method: 'POST', body: text, headers }))
}

interface Found {
  data: { id: string; name: string; chains: string[] }[]
  count: number
}

async function wallets(server: Server, query: string): Promise<Found> {
  const answer = await get(server, `/getWallets?${identity}&${query}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Found
}

beforeAll(async () => {
  const assets = assetsFolder()
  seed = await readWalletsFile(join(assets, 'wallets.json'))
  dependencies = inMemoryDependencies({
    directory: createDirectory(seed.wallets),
    images: createImages({ folder: join(assets, 'wallet-images'), files: seed.images }),
  })
})

describe('attacks', () => {
  test.each([
    '../wallets.json',
    '..%2fwallets.json',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    '..%5c..%5cpackage.json',
    'io.metamask.webp',
    '%00',
    `${metaMaskImage}%00.webp`,
    `${metaMaskImage}/../../package.json`,
    'file:%2f%2f%2fetc%2fpasswd',
    '__proto__',
    'constructor',
    `${'a'.repeat(5000)}`,
    '%E0%A4%A',
  ])('an image ID that attempts path traversal is not found: %s', async (id) => {
    for (const path of ['/getWalletImage', '/public/getAssetImage', '/public/getCurrencyImage']) {
      const answer = await get(serve(), `${path}/${id}`)
      expect(answer.status).toBe(404)
      v.parse(failure, await answer.json())
    }
  })

  test('rejects an image list in which a file name contains path traversal', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-seed-'))
    await writeFile(
      join(folder, 'wallets.json'),
      JSON.stringify([{ id: 'a', name: 'A', image_id: 'x', image: '../../etc/passwd' }]),
    )
    await expect(readWalletsFile(join(folder, 'wallets.json'))).rejects.toThrow('not a plain file name')
    await rm(folder, { recursive: true })
  })

  test('a script in place of a logo is not served, and images cannot execute scripts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-images-'))
    await writeFile(join(folder, 'a.webp'), '<!doctype html><script>alert(1)</script>')
    await writeFile(join(folder, 'b.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const server = serve({
      images: createImages({
        folder,
        files: new Map([
          ['a', 'a.webp'],
          ['b', 'b.svg'],
        ]),
      }),
    })
    expect((await get(server, '/getWalletImage/a')).status).toBe(404)
    const svg = await get(server, '/getWalletImage/b')
    expect(svg.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(svg.headers.get('x-content-type-options')).toBe('nosniff')
    await rm(folder, { recursive: true })
  })

  test('an endless body is cut off instead of buffered', async () => {
    let sent = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 16_384
        controller.enqueue(new Uint8Array(16_384).fill(32))
      },
      cancel: () => {
        cancelled = true
      },
    })
    const request = new Request(`http://127.0.0.1/e?${identity}`, {
      method: 'POST',
      body: endless,
      duplex: 'half',
    } as RequestInit)
    const answer = await serve()(request)
    expect(answer.status).toBe(413)
    expect(cancelled).toBe(true)
    expect(sent).toBeLessThan(256 * 1024)
  })

  test('rejects a body whose content-length exceeds the limit, and does not read the body', async () => {
    const answer = await post(serve(), `/e?${identity}`, '{}', { 'content-length': '99999999999' })
    expect(answer.status).toBe(413)
  })

  test.each([
    ['[', 60_000],
    ['{"a":', 12_000],
  ])('rejects a body that consists of %s repeated thousands of times', async (piece, times) => {
    const answer = await post(serve(), `/e?${identity}`, piece.repeat(times))
    expect(answer.status).toBe(400)
  })

  test('accepts an event nested thousands of levels deep and truncates it', async () => {
    const events = inMemoryEvents()
    const intake = createEventIngest({ events, log: () => {} })
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const body = `{"eventId":"1","timestamp":1735689600000,"props":{"event":"MODAL_OPEN","properties":{"deep":${deep}}}}`
    expect((await post(serve({ intake }), `/e?${identity}`, body)).status).toBe(202)
    await intake.flush()
    expect(JSON.stringify(events.all[0]?.properties).length).toBeLessThan(50)
  })

  test.each([`${'a'.repeat(200)}!`, '(a+)+$', '.*.*.*.*.*.*.*', '[', '\\', '%25', '🦊'.repeat(50), 'İ'.repeat(99)])(
    'never treats a search string as a pattern: %s',
    async (search) => {
      const answer = await get(serve(), `/getWallets?${identity}&search=${encodeURIComponent(search)}`)
      expect([200, 400]).toContain(answer.status)
      if (answer.status === 200) expect(((await answer.json()) as Found).count).toBe(0)
    },
  )

  test('a search over thousands of near-matching names does not block the server', () => {
    const hostile = Array.from({ length: 10_000 }, (_, index) => ({
      id: `w${index}`,
      name: `${'a'.repeat(199)}${index % 10}`,
    }))
    const directory = createDirectory(hostile)
    const query = { page: 1, entries: 40, badge: '', include: [], exclude: [], chains: [] }
    const started = performance.now()
    for (let round = 0; round < 20; round += 1) directory.find({ ...query, search: `${'a'.repeat(198)}b` })
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test.each([
    ['a line break', 'x\r\nset-cookie: a=b'],
    ['a script', '<script>alert(1)</script>'],
  ])('a response does not reflect %s from chainId or projectId in its headers or markup', async (_, text) => {
    const value = encodeURIComponent(text)
    for (const path of [`/v1/?chainId=${value}&projectId=${value}`, `/e?projectId=${value}`]) {
      const answer = await post(serve(), path, '{}')
      expect(answer.status).toBe(400)
      expect(answer.headers.get('set-cookie')).toBe(null)
      expect(answer.headers.get('content-type')).toContain('application/json')
      expect(await answer.text()).not.toContain(text)
    }
  })

  test('a client cannot choose its own request ID', async () => {
    const answer = await get(serve(), '/health', { 'x-request-id': 'mine' })
    expect(answer.headers.get('x-request-id')).toMatch(uuid)
  })

  test('an internal error exposes no details', async () => {
    const server = serve({
      projects: {
        ...inMemoryProjects(),
        all: async () => {
          throw new Error('connect ECONNREFUSED postgres://user:secret@db:5432')
        },
      },
    })
    const answer = await get(server, `/getWallets?${identity}`)
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toMatch(/postgres|secret|ECONN/)
  })

  test('logs and metrics contain no address, query or client-supplied path', async () => {
    const lines: string[] = []
    const metrics = createMetrics()
    const server = serve({ log: createLog({ level: 'debug', write: (line) => lines.push(line) }), metrics })
    const secret = '0x1111222233334444555566667777888899990000'
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      origin: 'https://shop.example',
      cookie: 'a=b',
      'user-agent': 'Mine',
    }
    await get(server, `/getWallets?${identity}&search=${secret}`, headers)
    await get(server, `/nothing/${secret}`, headers)
    await get(server, `/getWalletImage/${secret}`, headers)
    await server(new Request(`http://127.0.0.1/${secret}`, { method: 'BREW', headers }))
    await post(server, `/e?${identity}&address=${secret}`, `{"eventId":"${secret}"}`, headers)
    const seen = lines.join('') + (await metrics.print())
    expect(lines).toHaveLength(5)
    for (const line of lines)
      expect(Object.keys(JSON.parse(line) as object).sort()).toEqual([
        'id',
        'level',
        'message',
        'method',
        'ms',
        'route',
        'status',
        'time',
      ])
    for (const trace of [secret, '203.0.113.7', 'shop.example', 'Mine', 'search', '5a1c0ffee', 'BREW'])
      expect(seen).not.toContain(trace)
  })
})

test('requests are logged as info, but images that are served are logged as debug', async () => {
  const levels: Record<string, string[]> = {}
  const log: Log = (level, _, fields) => {
    const { route } = fields as { route: string }
    levels[route] = [...(levels[route] ?? []), level]
  }
  const server = serve({ log })
  await get(server, `/getWallets?${identity}`)
  const image = `/getWalletImage/${metaMaskImage}`
  const etag = (await get(server, image)).headers.get('etag') ?? ''
  expect((await get(server, image, { 'if-none-match': etag })).status).toBe(304)
  await get(server, '/getWalletImage/missing')
  expect(levels).toEqual({ '/getWallets': ['info'], '/getWalletImage/:id': ['debug', 'debug', 'info'] })
})

describe('access control', () => {
  const guarded = () => serve({ projects: inMemoryProjects([shop]) })

  test.each([
    'https://shop.example',
    'https://a.shop.example',
    'HTTPS://SHOP.EXAMPLE',
    'http://localhost:3000',
    'http://127.0.0.1:8080',
    'http://[::1]:3000',
    'http://demo.localhost:4100',
  ])('allows a page on %s [R6.2]', async (origin) => {
    expect((await get(guarded(), '/getWallets?projectId=shop', { origin })).status).toBe(200)
  })

  test.each([
    'null',
    '',
    'https://shop.example.',
    'https://evil.example',
    'https://shop.example.evil.example',
    'https://evilshop.example',
    'https://a.b.shop.example',
    'https://.shop.example',
    'http://shop.example',
    'https://shop.example@evil.example',
    'https://evil.example#shop.example',
    'https://evil.example/https://shop.example',
    'https://localhost.evil.example',
    'https://127.0.0.1.evil.example',
    'file://localhost',
    'https://xn--shp-0na.example',
    'https://sh%6fp.example',
    'https://*.shop.example.evil.example',
    'https://shop.example, https://evil.example',
    'shop.example',
  ])('refuses a page with the origin "%s" on every endpoint [R6.2] [R8.8]', async (origin) => {
    const directory = await get(guarded(), '/getWallets?projectId=shop', { origin })
    const chain = await post(guarded(), '/v1/?projectId=shop&chainId=eip155:1', '{}', { origin })
    const analytics = await post(guarded(), '/e?projectId=shop', '{}', { origin })
    const batch = await post(guarded(), '/batch?projectId=shop', '{}', { origin })
    expect([directory, chain, analytics, batch].map(({ status }) => status)).toEqual([401, 401, 403, 403])
    const responses = ['/getAnalyticsConfig', '/appkit/v1/config', '/appkit/v1/project-limits'].map((path) =>
      get(guarded(), `${path}?projectId=shop`, { origin }),
    )
    for (const answer of [directory, chain, analytics, batch, ...(await Promise.all(responses))]) {
      expect(answer.ok).toBe(false)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const { reasons } = v.parse(failure, await answer.json())
      expect(reasons[0]?.description).toBe('Unauthorized: origin not allowed')
    }
  })

  test('a GET request without an Origin header is allowed only if the browser marks it as same-origin [R6.2]', async () => {
    const path = '/getWallets?projectId=shop'
    expect((await get(guarded(), path, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    for (const site of ['same-site', 'cross-site', 'none', '']) {
      expect((await get(guarded(), path, { 'sec-fetch-site': site })).status).toBe(401)
    }
    expect((await get(guarded(), path)).status).toBe(401)
    expect((await post(guarded(), '/e?projectId=shop', '{}', { 'sec-fetch-site': 'same-origin' })).status).toBe(403)
  })

  test('an unknown project is refused once any project is registered [R6.2]', async () => {
    const headers = { origin: 'https://shop.example' }
    expect((await get(guarded(), '/getWallets?projectId=other', headers)).status).toBe(401)
    expect((await get(guarded(), '/getWallets', headers)).status).toBe(401)
    expect((await get(guarded(), '/projects/v1/origins?projectId=other', headers)).status).toBe(401)
    expect((await get(guarded(), '/getWallets?projectId=', { ...headers, 'x-project-id': 'shop' })).status).toBe(401)
    expect((await get(guarded(), '/getWallets', { ...headers, 'x-project-id': 'shop' })).status).toBe(200)
  })

  test('if no project is registered, every project ID and every page is allowed [R6.2]', async () => {
    for (const path of ['/getWallets?projectId=anything', '/getWallets']) {
      expect((await get(serve(), path, { origin: 'https://anybody.example' })).status).toBe(200)
    }
  })

  test('a project that has no configured origins allows every page, even if the request has no Origin header [R6.2]', async () => {
    const server = serve({ projects: inMemoryProjects([{ ...shop, allowedOrigins: [] }]) })
    expect((await get(server, '/getWallets?projectId=shop', { origin: 'https://anybody.example' })).status).toBe(200)
    expect((await get(server, '/getWallets?projectId=shop')).status).toBe(200)
  })

  test('preflight requests succeed for every path and origin', async () => {
    for (const path of ['/getWallets', '/e', '/v1/', '/projects/v1/origins', '/elsewhere']) {
      const answer = await guarded()(
        new Request(`http://127.0.0.1${path}`, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } }),
      )
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
      expect(answer.headers.get('access-control-allow-headers')).toContain('content-type')
    }
  })
})

describe('responses that are prepared once', () => {
  const node = { supported: () => chains, send: async () => ({ kind: 'answered' as const, body: '{"id":1}' }) }
  const chains = ['eip155:1']

  test.each([`/getWallets?${identity}&page=1&search=meta`, '/v1/supported-chains'])(
    'a repeated request for %s gets the same body and an ETag, with which the client can skip an unchanged body',
    async (path) => {
      const server = serve({ chain: node })
      const first = await get(server, path)
      const again = await get(server, path)
      const etag = again.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[\w-]{22}"$/)
      expect(await again.text()).toBe(await first.text())
      expect([...again.headers].filter(([name]) => name !== 'etag' && name !== 'x-request-id')).toEqual(
        [...first.headers].filter(([name]) => name !== 'etag' && name !== 'x-request-id'),
      )
      const unchanged = await get(server, path, { 'if-none-match': etag })
      expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', etag])
      expect(unchanged.headers.get('access-control-allow-origin')).toBe('*')
      expect((await get(server, path, { 'if-none-match': '"other"' })).status).toBe(200)
    },
  )

  test('different queries have different responses and ETags, however often they are repeated', async () => {
    const server = serve()
    const etags = new Set<string | null>()
    for (let turn = 0; turn < 3; turn += 1)
      for (const search of ['meta', 'rainbow', 'trust']) {
        const answer = await get(server, `/getWallets?${identity}&search=${search}`)
        const { data } = (await answer.json()) as Found
        expect(data.every(({ name }) => name.toLowerCase().includes(search))).toBe(true)
        if (turn === 2) etags.add(answer.headers.get('etag'))
      }
    expect(etags.size).toBe(3)
  })

  test('a page of another project does not get a response that was prepared for a project’s own pages', async () => {
    const server = serve({ projects: inMemoryProjects([shop]) })
    const path = '/getWallets?projectId=shop&page=1'
    for (let turn = 0; turn < 3; turn += 1)
      expect((await get(server, path, { origin: 'https://shop.example' })).status).toBe(200)
    expect((await get(server, path, { origin: 'https://evil.example' })).status).toBe(401)
  })

  test('the list of chains is prepared again when the chains change', async () => {
    let supported = ['eip155:1']
    const server = serve({ chain: { ...node, supported: () => supported } })
    const { headers } = await get(server, '/v1/supported-chains')
    supported = ['eip155:10']
    const changed = await get(server, '/v1/supported-chains', { 'if-none-match': headers.get('etag') ?? '' })
    expect(await changed.json()).toEqual({ http: ['eip155:10'], ws: [] })
  })

  test('every response from a public endpoint has the same security headers and its own request ID, whether or not it was prepared', async () => {
    const server = serve({ chain: node })
    const answers = [
      await get(server, `/getWallets?${identity}`),
      await get(server, `/getWallets?${identity}`),
      await get(server, `/getWallets?${identity}&page=x`),
      await get(server, `/getWalletImage/${metaMaskImage}`),
      await get(server, '/getWalletImage/none'),
      await get(server, '/v1/supported-chains'),
      await get(server, '/v1/'),
      await post(server, '/v1/?chainId=eip155:1', { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }),
      await post(server, '/e', { eventId: '1' }),
      await get(server, '/health'),
      await get(server, '/ready'),
      await get(server, '/nothing'),
    ]
    for (const { headers, url } of answers) {
      expect(Object.fromEntries(headers), url).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'x-request-id, retry-after',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'cross-origin-resource-policy': 'cross-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      expect(headers.get('x-request-id'), url).toMatch(uuid)
    }
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(answers.length)
  })
})

describe('the wallet directory', () => {
  test('the response to a recorded request for recommended wallets has the specified shape [R7.2 R7.3]', async () => {
    const answer = await get(
      serve(),
      `/getWallets?${identity}&page=1&entries=4&include=&exclude=&chains=eip155%3A1%2Csolana%3A5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`,
      { origin: 'https://shop.example' },
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('x-request-id')).toMatch(uuid)
    const page = v.parse(v.strictObject({ data: v.array(wallet), count: v.number() }), await answer.json())
    expect(page.data.map(({ name }) => name)).toEqual([
      'MetaMask',
      'Trust Wallet',
      'Base (formerly Coinbase Wallet)',
      'Phantom',
    ])
    expect(page.count).toBe(
      seed.wallets.filter(({ chains }) => chains?.some((chain) => /^(eip155|solana)/.test(chain))).length,
    )
  })

  test('a wallet is returned with all its fields except the file name of its image [R3.2]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-seed-'))
    const full = {
      id: 'w',
      name: 'W',
      image_id: 'i',
      rdns: 'io.w',
      chains: ['eip155:1'],
      mobile_link: 'w://',
      desktop_link: 'w-desktop://',
      webapp_link: 'https://w.example',
    }
    const plain = { id: 'plain', name: 'Plain' }
    await writeFile(join(folder, 'wallets.json'), JSON.stringify([{ ...full, image: 'w.webp' }, plain]))
    const { wallets: listed } = await readWalletsFile(join(folder, 'wallets.json'))
    const answer = await get(serve({ directory: createDirectory(listed) }), `/getWallets?${identity}&page=1&entries=40`)
    expect(await answer.json()).toEqual({ data: [full, plain], count: 2 })
    await rm(folder, { recursive: true })
  })

  test('every wallet in the seed is returned in the wire format', async () => {
    const names = new Set<string>()
    for (let page = 1; names.size < seed.wallets.length; page += 1) {
      const { data, count } = await wallets(serve(), `page=${page}&entries=100`)
      expect(count).toBe(seed.wallets.length)
      for (const entry of v.parse(v.array(wallet), data)) names.add(entry.id)
    }
    expect(names.size).toBe(536)
  })

  test('consecutive pages of 40 wallets contain no duplicates, and a page past the end is empty [R7.3]', async () => {
    const first = await wallets(serve(), 'page=1&entries=40')
    const second = await wallets(serve(), 'page=2&entries=40')
    expect(first.data).toHaveLength(40)
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(80)
    const last = await wallets(serve(), 'page=14&entries=40')
    expect(last.data).toHaveLength(536 - 13 * 40)
    expect((await wallets(serve(), 'page=9999999&entries=40')).data).toEqual([])
  })

  test('include, exclude, chains and search can be combined [R7.3]', async () => {
    const included = await wallets(serve(), `include=${metaMaskId},unknown,${metaMaskId}`)
    expect(included).toMatchObject({ count: 1, data: [{ name: 'MetaMask' }] })
    expect((await wallets(serve(), `include=${metaMaskId}&exclude=${metaMaskId}`)).count).toBe(0)
    expect((await wallets(serve(), 'include=unknown')).count).toBe(0)
    expect((await wallets(serve(), `exclude=${metaMaskId}`)).count).toBe(535)
    const solana = await wallets(serve(), 'chains=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp,near:mainnet&entries=100')
    expect(solana.count).toBe(23)
    expect(solana.data.every(({ chains }) => chains.includes('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'))).toBe(true)
    expect((await wallets(serve(), 'chains=near:mainnet')).count).toBe(0)
    expect((await wallets(serve(), 'chains=eip155:1&search=solflare')).count).toBe(0)
  })

  test.each(['metamask', 'METAMASK', '%20MetaMask%20', 'meta', 'amas', 'etamask'])(
    'a search for "%s" finds MetaMask [R7.3]',
    async (search) => {
      expect((await wallets(serve(), `search=${search}`)).data.map(({ name }) => name)).toContain('MetaMask')
    },
  )

  test('searches for a single letter but ignores an empty search string', async () => {
    const { data, count } = await wallets(serve(), 'search=z&entries=100')
    expect(count).toBeGreaterThan(5)
    expect(data.every(({ name }) => name.toLowerCase().includes('z'))).toBe(true)
    expect((await wallets(serve(), 'search=&badge_type=&include=&exclude=&chains=')).count).toBe(536)
  })

  test('filters wallets by the badge types none and certified [R7.3]', async () => {
    const directory = createDirectory([
      { id: 'a', name: 'A', order: 2 },
      { id: 'b', name: 'B', order: 1, badge_type: 'certified' },
      { id: 'b', name: 'B again' },
      { id: 'c', name: 'C', badge_type: 'none', order: 3 },
    ])
    const server = serve({ directory })
    expect((await wallets(server, '')).data.map(({ id }) => id)).toEqual(['b', 'a', 'c'])
    expect((await wallets(server, 'badge_type=certified')).data.map(({ id }) => id)).toEqual(['b'])
    expect((await wallets(server, 'badge_type=none')).data.map(({ id }) => id)).toEqual(['a', 'c'])
  })

  test('a page contains at most 100 wallets', async () => {
    expect((await wallets(serve(), 'entries=500')).data).toHaveLength(100)
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e3',
    'page=',
    `page=${'9'.repeat(17)}`,
    'entries=0',
    'entries=NaN',
    'entries=%20',
  ])('rejects an invalid number with the standard error body: %s', async (query) => {
    const answer = await get(serve(), `/getWallets?${identity}&${query}`)
    expect(answer.status).toBe(400)
    const { reasons } = v.parse(failure, await answer.json())
    expect(reasons[0]?.field).toBe(query.split('=')[0])
  })

  test('an unknown path returns 404 with the standard error body and a request ID', async () => {
    const answer = await get(serve(), '/elsewhere')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('x-request-id')).toMatch(uuid)
    v.parse(failure, await answer.json())
  })
})

describe('images', () => {
  test.each([
    [`/getWalletImage/${metaMaskImage}`, 'image/webp'],
    [`/public/getAssetImage/${metaMaskImage}`, 'image/webp'],
    ['/public/getAssetImage/ba0ba0cd-17c6-4806-ad93-f9d174f17900', 'image/svg+xml'],
    ['/public/getAssetImage/ef1a1fcf-7fe8-4d69-bd6d-fda1345b4400', 'image/svg+xml'],
    ['/public/getCurrencyImage/USD', 'image/svg+xml'],
    ['/public/getTokenImage/ETH', 'image/svg+xml'],
    ['/public/getTokenImage/USDC.e', 'image/svg+xml'],
  ])('serves %s as an image with its content type, an ETag and a long cache lifetime [R7.4]', async (path, type) => {
    const answer = await get(serve({ projects: inMemoryProjects([shop]) }), `${path}?${identity}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('cache-control')).toContain('max-age=604800')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100)

    const again = await get(serve(), path, { 'if-none-match': `"other", W/${etag}` })
    expect(again.status).toBe(304)
    expect(again.headers.get('etag')).toBe(etag)
    expect(await again.text()).toBe('')
    expect((await get(serve(), path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test.each(['/getWalletImage', '/public/getAssetImage', '/public/getCurrencyImage', '/public/getTokenImage'])(
    'an unknown ID at %s returns 404 with the standard error body [R7.4]',
    async (path) => {
      const answer = await get(serve(), `${path}/no-such-image-here`)
      expect(answer.status).toBe(404)
      v.parse(failure, await answer.json())
    },
  )

  test.each([
    ['/public/getTokenImage/USDC.e', 'USD', 19],
    ['/public/getTokenImage/OP', 'OP', 24],
    ['/public/getCurrencyImage/eur', '€', 32],
    ['/public/getAssetImage/ba0ba0cd-17c6-4806-ad93-f9d174f17900', 'E', 32],
  ])('%s without a logo shows the letters %s in white', async (path, letters, size) => {
    const svg = await (await get(serve(), path)).text()
    const [, attributes, text] = /<text ([^>]*)>([^<]*)<\/text><\/svg>$/.exec(svg) ?? []
    expect(text).toBe(letters)
    expect(attributes).toContain(`fill="#fff"`)
    expect(attributes).toContain(`font-size="${size}"`)
  })

  test('tokens without a logo differ in color', async () => {
    const colors: unknown[] = []
    for (const symbol of ['USDC', 'USDT', 'ETH', 'BTC', 'usdc']) {
      const svg = await (await get(serve(), `/public/getTokenImage/${symbol}`)).text()
      const [, hue] = svg.match(/ fill="hsl\((\d+) \d+% \d+%\)"/) ?? []
      expect(Number(hue)).toBeLessThan(360)
      colors.push(hue)
    }
    expect(new Set(colors).size).toBe(4)
    expect(colors[4]).toBe(colors[0])
  })

  test('every logo in the seed exists [R7.4]', async () => {
    const server = serve()
    for (const id of seed.images.keys()) {
      const answer = await get(server, `/getWalletImage/${id}`)
      expect([id, answer.status, answer.headers.get('content-type')?.slice(0, 6)]).toEqual([id, 200, 'image/'])
    }
  })

  test('a HEAD request returns the same headers without the image', async () => {
    const answer = await serve()(new Request('http://127.0.0.1/public/getTokenImage/ETH', { method: 'HEAD' }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(await answer.text()).toBe('')
  })
})

describe('project information for pages', () => {
  test('returns the allowed origins, even to a page that is not on the list [R7.5 R8.8]', async () => {
    const server = serve({ projects: inMemoryProjects([shop]) })
    const answer = await get(server, '/projects/v1/origins?projectId=shop', { origin: 'https://evil.example' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ allowedOrigins: shop.allowedOrigins })
  })

  test('returns the requesting origin as allowed if every origin is allowed [R7.5 R8.8]', async () => {
    const anywhere = inMemoryProjects([{ ...shop, allowedOrigins: [] }])
    for (const server of [serve(), serve({ projects: anywhere })]) {
      const originsFor = async (origin?: string) =>
        (await get(server, '/projects/v1/origins?projectId=shop', origin ? { origin } : {})).json()
      expect(await originsFor('https://any.example:8443')).toEqual({ allowedOrigins: ['https://any.example:8443'] })
      expect(await originsFor('null')).toEqual({ allowedOrigins: [] })
      expect(await originsFor()).toEqual({ allowedOrigins: [] })
    }
  })

  test('lists the social logins if the embedded wallet is configured', async () => {
    const configFor = async (socials?: readonly string[]) =>
      (await get(serve({ socials }), '/projects/v1/origins?projectId=shop')).json()
    expect(await configFor(['github', 'farcaster'])).toEqual({ allowedOrigins: [], socials: ['github', 'farcaster'] })
    expect(await configFor([])).toEqual({ allowedOrigins: [], socials: [] })
    expect(await configFor()).toEqual({ allowedOrigins: [] })
  })

  test('returns the analytics setting [R7.6]', async () => {
    const origin = 'https://shop.example'
    const enabled = async (server: Server) =>
      (await get(server, '/getAnalyticsConfig?projectId=shop', { origin })).json() as Promise<{
        isAnalyticsEnabled: boolean
      }>
    expect(await enabled(serve())).toEqual({ isAnalyticsEnabled: true })
    expect(await enabled(serve({ analytics: false }))).toEqual({ isAnalyticsEnabled: false })
    expect(await enabled(serve({ projects: inMemoryProjects([shop]) }))).toEqual({ isAnalyticsEnabled: true })
    expect(await enabled(serve({ projects: inMemoryProjects([{ ...shop, analytics: false }]) }))).toEqual({
      isAnalyticsEnabled: false,
    })
    // A project cannot enable analytics that the operator has disabled.
    expect(await enabled(serve({ analytics: false, projects: inMemoryProjects([shop]) }))).toEqual({
      isAnalyticsEnabled: false,
    })
  })
})

describe('startup requests of a conforming client', () => {
  const origin = 'https://shop.example'
  const ask = async (server: Server, path: string, from = origin) => {
    const answer = await get(server, `${path}?projectId=shop&st=appkit&sv=html-wagmi-4.2.2`, { origin: from })
    return { status: answer.status, json: (await answer.json()) as { features?: { id: string }[] } }
  }

  test('if no features are configured for a project, its pages can choose their own', async () => {
    for (const server of [serve(), serve({ projects: inMemoryProjects([shop]) })])
      expect(await ask(server, '/appkit/v1/config')).toEqual({ status: 200, json: { features: null } })
  })

  test('returns a project’s configured features with their options and turns off all others', async () => {
    const features = ['social_login=google,email', 'activity']
    const server = serve({ projects: inMemoryProjects([{ ...shop, features }]) })
    const { json } = await ask(server, '/appkit/v1/config')
    const byId = Object.fromEntries((json.features ?? []).map((feature) => [feature.id, feature]))
    expect(byId).toMatchObject({
      social_login: { isEnabled: true, config: ['google', 'email'] },
      activity: { isEnabled: true, config: [] },
      swap: { isEnabled: false, config: [] },
      email_capture: { isEnabled: false },
    })
    expect(Object.keys(byId)).toHaveLength(11)
    expect((await ask(server, '/appkit/v1/config', 'https://evil.example')).status).toBe(401)
  })

  test('never reports a plan limit as exceeded', async () => {
    const { json } = await ask(serve(), '/appkit/v1/project-limits')
    expect(json).toEqual({ planLimits: { tier: 'pro', isAboveRpcLimit: false, isAboveMauLimit: false } })
    const elsewhere = serve({ projects: inMemoryProjects([shop]) })
    expect((await ask(elsewhere, '/appkit/v1/project-limits', 'https://evil.example')).status).toBe(401)
  })
})

describe('analytics', () => {
  const recorded = {
    eventId: 'b9b0f2c4-0000-4000-8000-000000000000',
    url: 'https://app.example/checkout?order=17&mail=a%40b.example#top',
    domain: 'app.example',
    timestamp: 1735689600000,
    props: {
      type: 'track',
      event: 'MODAL_OPEN',
      properties: { connected: false },
      address: '0x1111111111111111111111111111111111111111',
    },
  }

  function setUp(overrides: Partial<ServerDependencies> = {}) {
    const events = inMemoryEvents()
    const intake = createEventIngest({ events, log: () => {} })
    return { events, intake, server: serve({ intake, ...overrides }) }
  }

  test('accepts a recorded event and stores its page URL without the query [R7.7 R7.13]', async () => {
    const { events, intake, server } = setUp()
    const answer = await post(server, `/e?${identity}`, recorded, {
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.7',
    })
    expect(answer.ok).toBe(true)
    await intake.flush()
    expect(events.all).toEqual([
      {
        projectId: '5a1c0ffee5a1c0ffee5a1c0ffee5a1c0',
        eventId: recorded.eventId,
        url: 'https://app.example/checkout',
        domain: 'app.example',
        timestamp: new Date(1735689600000),
        type: 'track',
        event: 'MODAL_OPEN',
        properties: { connected: false },
        address: recorded.props.address,
      },
    ])
  })

  test('accepts events with any content type, for example a beacon that contains a batch of events [R7.7]', async () => {
    const { events, intake, server } = setUp()
    await post(server, `/e?${identity}`, { ...recorded, eventId: '1' }, { 'content-type': 'text/plain;charset=UTF-8' })
    await post(server, `/batch?${identity}`, [
      { ...recorded, eventId: '2' },
      { ...recorded, eventId: '3', timestamp: '2025-01-01T00:00:00Z' },
    ])
    await intake.flush()
    expect(events.all.map(({ eventId }) => eventId)).toEqual(['1', '2', '3'])
  })

  test.each([
    ['invalid JSON', 'eventId=1'],
    ['an empty body', ''],
    ['a number', '7'],
    ['an event that has no ID', { ...recorded, eventId: undefined }],
    ['an event whose ID is a number', { ...recorded, eventId: 5 }],
    ['an event that has no name', { ...recorded, props: {} }],
    ['an invalid date', { ...recorded, timestamp: 'yesterday' }],
    ['an implausible date', { ...recorded, timestamp: 1e15 }],
    [
      'too many events',
      Array.from({ length: 501 }, (_, index) => ({
        eventId: String(index),
        timestamp: 1735689600000,
        props: { event: 'E' },
      })),
    ],
  ])('rejects %s as a bad request', async (_, body) => {
    const { events, intake, server } = setUp()
    expect((await post(server, `/e?${identity}`, body)).status).toBe(400)
    await intake.flush()
    expect(events.all).toEqual([])
  })

  test('accepts events but does not store them if analytics is disabled', async () => {
    for (const overrides of [{ analytics: false }, { projects: inMemoryProjects([{ ...shop, analytics: false }]) }]) {
      const { events, intake, server } = setUp(overrides)
      expect((await post(server, '/e?projectId=shop', recorded, { origin: 'https://shop.example' })).status).toBe(202)
      await intake.flush()
      expect(events.all).toEqual([])
    }
  })

  test('removes characters that databases reject', async () => {
    const { events, intake, server } = setUp()
    const properties = { 'a\u0000': 'b\u0000', lone: '\ud800', escaped: '\\u0000' }
    await post(server, `/e?${identity}`, { ...recorded, props: { ...recorded.props, properties } })
    await intake.flush()
    expect(events.all[0]?.properties).toEqual({ a: 'b', lone: '\ufffd', escaped: '\\u0000' })
  })

  test('serves every path that a page requests, and none of them returns 404 [R7.14]', async () => {
    const server = setUp().server
    const answers = await Promise.all([
      get(server, `/getWallets?${identity}`),
      get(server, `/getWalletImage/${metaMaskImage}`),
      get(server, '/public/getAssetImage/ba0ba0cd-17c6-4806-ad93-f9d174f17900'),
      get(server, '/public/getCurrencyImage/EUR'),
      get(server, '/public/getTokenImage/ETH'),
      get(server, `/projects/v1/origins?${identity}`),
      get(server, `/getAnalyticsConfig?${identity}`),
      get(server, '/v1/supported-chains'),
      post(server, `/e?${identity}`, recorded),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 202])
  })
})

describe('the RPC proxy', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }

  type Upstream = (url: string, init: RequestInit) => Promise<Response>

  function setUp(
    upstream: Upstream,
    { urls = ['https://one.example/key', 'https://two.example/key'], extraMethods = [] as string[] } = {},
  ) {
    const metrics = createMetrics()
    const state = { now: 0, seen: [] as { url: string; body: string; init: RequestInit }[] }
    const upstreams = new Map([
      ['eip155:1', urls],
      ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', urls],
    ])
    const send = createUpstreams({
      upstreams,
      limits: { timeoutMs: 50, responseBytes: 2000 },
      fetch: (async (url: string, init: RequestInit) => {
        state.seen.push({ url, body: String(init.body), init })
        return upstream(url, init)
      }) as typeof fetch,
      metrics,
      log: () => {},
      clock: () => state.now,
    })
    const chain = createRpcProxy({ upstreams, policy: { batchMax: 3, extraMethods }, send })
    return { state, metrics, server: serve({ chain }) }
  }

  const answering: Upstream = async (_, init) => {
    const body = JSON.parse(String(init.body)) as { id: number; method: string }[] | { id: number; method: string }
    const respond = ({ id, method }: { id: number; method: string }) => ({ jsonrpc: '2.0', id, result: method })
    return Response.json(Array.isArray(body) ? body.map(respond) : respond(body))
  }

  const path = `/v1/?chainId=eip155:1&${identity}`

  test.each(['application/json', 'text/plain'])('answers a call sent as %s [R7.8]', async (type) => {
    const { server } = setUp(answering)
    for (const route of [path, path.replace('/v1/', '/v1')]) {
      const answer = await post(server, route, call, { 'content-type': type })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('x-request-id')).toMatch(uuid)
      expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: 'eth_blockNumber' })
    }
  })

  test('forwards a recorded call that verifies a contract wallet’s signature [R7.9]', async () => {
    const { server, state } = setUp(async () =>
      Response.json({ jsonrpc: '2.0', id: 1, result: `0x1626ba7e${'0'.repeat(56)}` }),
    )
    const check = {
      id: 1,
      jsonrpc: '2.0',
      method: 'eth_call',
      params: [{ to: `0x${'1'.repeat(40)}`, data: '0x1626ba7e00' }, 'latest'],
    }
    const answer = await post(server, path, check)
    expect(((await answer.json()) as { result: string }).result.slice(0, 10)).toBe('0x1626ba7e')
    expect(JSON.parse(state.seen[0]?.body ?? '')).toEqual(check)
  })

  test('forwards no user data to the node', async () => {
    const { server, state } = setUp(answering)
    await post(server, path, call, {
      origin: 'https://shop.example',
      cookie: 'a=b',
      authorization: 'Bearer x',
      'x-forwarded-for': '203.0.113.7',
      'user-agent': 'Mine',
    })
    expect(state.seen[0]?.url).toBe('https://one.example/key')
    expect(state.seen[0]?.init.headers).toEqual({ 'content-type': 'application/json', accept: 'application/json' })
    expect(state.seen[0]?.init.redirect).toBe('error')
  })

  test.each([
    'eip155:2',
    'eip155:01',
    '',
    'eip155:1,eip155:1',
    'http://169.254.169.254/latest/meta-data',
    'eip155:1@evil.example',
    'eip155:1/../..',
    '__proto__',
    'EIP155:1',
    ' eip155:1',
    'x'.repeat(10_000),
  ])('rejects an unconfigured chain without forwarding the call: %s [R7.8]', async (chainId) => {
    const { server, state } = setUp(answering)
    const answer = await post(server, `/v1/?chainId=${encodeURIComponent(chainId)}&${identity}`, call)
    expect(answer.status).toBe(400)
    const { reasons } = v.parse(failure, await answer.json())
    expect(reasons[0]?.field).toBe('chainId')
    expect(reasons[0]?.description.length).toBeLessThan(120)
    expect(state.seen).toEqual([])
  })

  test('the error response includes the ID of the unsupported chain', async () => {
    const answer = await post(setUp(answering).server, `/v1/?chainId=eip155:999&${identity}`, call)
    expect(await answer.json()).toEqual({
      status: 'FAILED',
      reasons: [{ field: 'chainId', description: 'The chain eip155:999 is not supported' }],
    })
  })

  test.each<[string, Upstream]>([
    ['fails', async () => new Response('down', { status: 502 })],
    ['is overloaded', async () => new Response('slow down', { status: 429 })],
    ['rejects the API key', async () => new Response('no', { status: 403 })],
    ['cannot be reached', async () => Promise.reject(new TypeError('fetch failed'))],
    ['returns HTML', async () => new Response('<html>captive portal</html>')],
    ['returns too much data', async () => new Response(`{"result":"${'a'.repeat(3000)}"}`)],
    [
      'never responds',
      (_, init) =>
        new Promise((_resolve, reject) =>
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
        ),
    ],
    ['never ends its response', async (_, init) => endless(init)],
  ])('falls back to the second node when the first %s [R7.8]', async (_, broken) => {
    const { server, state } = setUp((url, init) => (url.includes('one') ? broken(url, init) : answering(url, init)))
    const answer = await post(server, path, call)
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { result: string }).result).toBe('eth_blockNumber')
    expect(state.seen.map(({ url }) => new URL(url).host)).toEqual(['one.example', 'two.example'])
  })

  test('a node that failed is tried last for ten seconds', async () => {
    const { server, state } = setUp((url, init) =>
      url.includes('one') ? Promise.reject(new Error('down')) : answering(url, init),
    )
    await post(server, path, call)
    state.now = 9999
    await post(server, path, call)
    state.now = 10_000
    await post(server, path, call)
    expect(state.seen.map(({ url }) => new URL(url).host)).toEqual([
      'one.example',
      'two.example',
      'two.example',
      'one.example',
      'two.example',
    ])
  })

  test('returns 503 with the standard error body if no node responds [R8.13]', async () => {
    const { server, metrics } = setUp(async () => new Response('', { status: 500 }))
    const answer = await post(server, path, call)
    expect(answer.status).toBe(503)
    v.parse(failure, await answer.json())
    expect(await metrics.print()).toContain(
      'latchkey_rpc_upstream_total{chain="eip155:1",upstream="1",outcome="failed"} 1',
    )
    expect(await metrics.print()).not.toContain('example')
  })

  test('passes on a JSON-RPC error from the node unchanged, even if the HTTP status is 400', async () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: 3, message: 'execution reverted', data: '0x08c379a0' } }
    for (const status of [200, 400]) {
      const { server, state } = setUp(async () => Response.json(error, { status }))
      const answer = await post(server, path, call)
      expect([answer.status, await answer.json()]).toEqual([200, error])
      expect(state.seen).toHaveLength(1)
    }
  })

  test.each([
    ['eth_chainId', '0x1'],
    ['net_version', '1'],
    ['net_listening', true],
  ])('answers %s itself, without calling a node', async (method, result) => {
    const { server, state } = setUp(async () => Promise.reject(new Error('down')))
    const answer = await post(server, path, { ...call, method })
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result })
    expect(state.seen).toEqual([])
  })

  test.each([
    'debug_traceTransaction',
    'admin_addPeer',
    'anvil_setBalance',
    'hardhat_impersonateAccount',
    'evm_mine',
    'personal_unlockAccount',
    'miner_start',
    'txpool_content',
    'engine_newPayloadV3',
    'trace_block',
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData_v4',
    'eth_sendTransaction',
    'eth_sendTransactionSync',
    'eth_sendUnsignedTransaction',
    'eth_resend',
    'eth_accounts',
    'eth_submitWork',
    'eth_getBlock_debug',
    'wallet_sendCalls',
    'stop',
    'toString',
    'eth_call\r\nX: y',
  ])('does not make %s available to pages', async (method) => {
    const { server, state } = setUp(answering)
    const answer = await post(server, path, { ...call, method })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32601 } })
    expect(state.seen).toEqual([])
  })

  test('drops duplicate method keys, including keys that differ only in case', async () => {
    const { server, state } = setUp(answering)
    await post(
      server,
      path,
      '{"jsonrpc":"2.0","id":1,"method":"admin_addPeer","Method":"admin_addPeer","METHOD":"x","method":"eth_call"}',
    )
    expect(JSON.parse(state.seen[0]?.body ?? '')).toEqual({ jsonrpc: '2.0', id: 1, method: 'eth_call' })
    expect(state.seen[0]?.body).not.toContain('admin')
  })

  test('the operator can allow additional methods', async () => {
    const { server } = setUp(answering, { extraMethods: ['anvil_*', 'debug_traceCall'] })
    for (const [method, passes] of [
      ['anvil_mine', true],
      ['debug_traceCall', true],
      ['debug_traceCallMany', false],
    ] as const) {
      const answer = (await (await post(server, path, { ...call, method })).json()) as { result?: string }
      expect(answer.result === method).toBe(passes)
    }
  })

  test.each([
    'eth_getBalance',
    'eth_call',
    'eth_sendRawTransaction',
    'eth_estimateGas',
    'eth_getLogs',
    'eth_feeHistory',
    'net_peerCount',
    'web3_clientVersion',
  ])('forwards %s to the node', async (method) => {
    const { state, server } = setUp(answering)
    await post(server, path, { ...call, method })
    expect(state.seen).toHaveLength(1)
  })

  test('forwards Solana calls that read the chain or send transactions, but no administrative methods', async () => {
    const { state, server } = setUp(answering)
    const solana = path.replace('eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
    for (const method of ['getBalance', 'sendTransaction', 'simulateTransaction', 'isBlockhashValid'])
      await post(server, solana, { ...call, method })
    expect(state.seen).toHaveLength(4)
    for (const method of ['exit', 'setLogFilter', 'eth_call', 'addAuthorizedVoter'])
      await post(server, solana, { ...call, method })
    expect(state.seen).toHaveLength(4)
  })

  test('splits a batch between the server and the node, and combines the responses', async () => {
    const { state, server } = setUp(answering)
    const batch = [
      { ...call, id: 1, method: 'eth_chainId' },
      { ...call, id: 2 },
      { ...call, id: 3, method: 'debug_traceCall' },
    ]
    const answers = (await (await post(server, path, batch)).json()) as {
      id: number
      result?: string
      error?: { code: number }
    }[]
    expect(answers.sort((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: '0x1' },
      { id: 2, result: 'eth_blockNumber' },
      { id: 3, error: { code: -32601 } },
    ])
    expect(JSON.parse(state.seen[0]?.body ?? '')).toHaveLength(1)
  })

  test.each([
    ['an empty batch', '[]'],
    ['a batch that is too long', [call, call, call, call]],
    ['a nested batch', [[call]]],
    ['invalid JSON', 'eth_blockNumber'],
    ['a call that has no version', { id: 1, method: 'eth_blockNumber' }],
    ['a call whose ID is an object', { ...call, id: {} }],
    ['a call whose params are a string', { ...call, params: 'latest' }],
    [
      'a call that contains deeply nested lists',
      `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
    ],
  ])('rejects %s without forwarding it', async (_, body) => {
    const { state, server } = setUp(answering)
    expect((await post(server, path, body)).status).toBe(400)
    expect(state.seen).toEqual([])
  })

  test('rejects a call that exceeds the size limit', async () => {
    const { state, server } = setUp(answering)
    const answer = await post(server, path, { ...call, params: ['a'.repeat(2 * 1024 * 1024)] })
    expect(answer.status).toBe(413)
    expect(state.seen).toEqual([])
  })

  test('a client that disconnects cancels its call, and the node is not marked as failed', async () => {
    const aborted = new AbortController()
    const { state, server } = setUp(async (_, init) => {
      aborted.abort()
      throw init.signal?.reason
    })
    await server(
      new Request(`http://127.0.0.1${path}`, { method: 'POST', body: JSON.stringify(call), signal: aborted.signal }),
    )
    expect(state.seen).toHaveLength(1)
    await post(server, path, call)
    expect(state.seen[1]?.url).toContain('one')
  })

  test('the response to a GET request contains a hint to use POST and lists the supported chains', async () => {
    const { server } = setUp(answering)
    expect((await get(server, path)).status).toBe(426)
    const answer = await get(server, '/v1/supported-chains')
    expect(await answer.json()).toEqual({ http: ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], ws: [] })
  })
})

describe('operator endpoints', () => {
  test('the health, readiness and metrics endpoints respond', async () => {
    const server = serve({ metrics: createMetrics({ version: '1.2.3' }), metricsToken: 'open sesame' })
    expect(await (await get(server, '/health')).json()).toEqual({ status: 'ok' })
    expect((await get(server, '/ready')).status).toBe(200)
    const answer = await get(server, '/metrics', { authorization: 'Bearer open sesame' })
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const text = await answer.text()
    expect(text).toContain('latchkey_requests_total{route="/health",method="GET",status="200"} 1')
    expect(text).toContain('latchkey_request_seconds_bucket{le="+Inf",route="/health"} 1')
    expect(text).toMatch(/process_resident_memory_bytes \d+/)
    expect(text).toMatch(/nodejs_eventloop_lag_seconds \S+/)
    expect(text).toMatch(/process_cpu_seconds_total \S+/)
    expect(text).toContain(`latchkey_build_info{version="1.2.3",node="${process.version}"} 1`)
  })

  test('the server is not ready while a store is down, but it is still alive', async () => {
    const server = serve({ ready: async () => ({ isDraining: false, stores: { database: 'unavailable' } }) })
    expect((await get(server, '/ready')).status).toBe(503)
    expect((await get(server, '/health')).status).toBe(200)
  })

  test('the server is not ready while a store is unavailable, unless the operator excludes that store', async () => {
    const stores: Record<string, StoreState> = { database: 'ok', relay: 'ok' }
    const server = serve({ ready: async () => ({ isDraining: false, stores }) })
    expect(await (await get(server, '/ready')).json()).toEqual({ status: 'ok', database: 'ok', relay: 'ok' })
    stores.relay = 'unavailable'
    const answer = await get(server, '/ready')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await answer.json()).toEqual({ status: 'unavailable', database: 'ok', relay: 'unavailable' })
    const degraded = await get(server, '/ready?exclude=relay')
    expect([degraded.status, await degraded.json()]).toEqual([
      200,
      { status: 'degraded', database: 'ok', relay: 'unavailable' },
    ])
    expect((await get(server, '/ready?exclude=other')).status).toBe(503)
    stores.relay = 'out of memory'
    const full = await get(server, '/ready')
    expect([full.status, await full.json()]).toEqual([
      200,
      { status: 'degraded', database: 'ok', relay: 'out of memory' },
    ])
  })

  test('the server is not ready while it shuts down, regardless of exclusions', async () => {
    const server = serve({ ready: async () => ({ isDraining: true, stores: { relay: 'ok' } }) })
    const answer = await get(server, '/ready?exclude=relay')
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'draining', relay: 'ok' }])
  })

  test('a request that needs an unavailable store is answered with 503 and a delay, and any other failure with 500', async () => {
    const logged: unknown[] = []
    const failing = (error: Error) =>
      serve({
        projects: { ...inMemoryProjects([shop]), all: () => Promise.reject(error) },
        log: (level, message) => logged.push([level, message]),
      })
    const away = await get(
      failing(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
      '/getWallets?projectId=shop',
    )
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await away.text()).toContain('A store of this server is unavailable: try again in a moment')
    const broken = await get(failing(new TypeError('secret')), '/getWallets?projectId=shop')
    expect([broken.status, broken.headers.get('retry-after')]).toEqual([500, null])
    expect(await broken.text()).toMatch(/^(?!.*secret).*Internal server error/)
    expect(logged).toContainEqual(['warn', 'a store is unavailable'])
    expect(logged).toContainEqual(['error', 'a request failed'])
  })

  test('a page in a browser cannot read metrics', async () => {
    const answer = await get(serve(), '/metrics', { origin: 'https://evil.example' })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect((await get(serve(), '/health')).headers.get('access-control-allow-origin')).toBe('*')
  })

  test('metrics require the token, and are disabled if no token is set', async () => {
    expect((await get(serve(), '/metrics')).status).toBe(404)
    const server = serve({ metricsToken: 'open sesame' })
    expect((await get(server, '/metrics')).status).toBe(401)
    expect((await get(server, '/metrics', { authorization: 'Bearer open' })).status).toBe(401)
    expect((await get(server, '/metrics', { authorization: 'Bearer open sesame' })).status).toBe(200)
  })
})

function endless(init: RequestInit): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"jsonrpc":'))
      init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
    },
  })
  return new Response(body)
}
