import { expect, test } from 'vitest'
import { createServer } from '../createServer.ts'
import { inMemoryDependencies, inMemoryProjects } from '../inMemoryDependencies.ts'
import { createInFlight } from '../memoryLimits/inFlightBytes.ts'
import type { Caller, Image, Project, Projects, ServerDependencies } from '../serverDependencies.ts'

const listing = '/getWallets?projectId=shop&page=1'
const chains = '/v1/supported-chains?projectId=shop'
const picture = '/getWalletImage/fox'
const fox: Image = { bytes: new Uint8Array([1]), type: 'image/png', etag: '"fox"' }
const shop = { id: 'shop', name: 'Shop', allowedOrigins: ['https://shop.example'], features: [], analytics: true }
const address = '203.0.113.7'

/** Creates projects whose list is always in memory, as is usually the case on a server with a database. */
function inMemory(list: readonly Project[]): Projects {
  return { ...inMemoryProjects(list), cached: () => list }
}

/** Creates a server whose log entries are recorded in `lines`. */
function serve(overrides: Partial<ServerDependencies> = {}) {
  const lines: [level: string, message: string, fields: unknown][] = []
  const dependencies = inMemoryDependencies({
    projects: inMemory([]),
    images: { find: async () => fox, cached: (_, id) => (id === 'fox' ? fox : undefined) },
    chain: { supported: () => supported, send: async () => ({ kind: 'unsupported' }) },
    log: (...line) => void lines.push(line as (typeof lines)[number]),
    ...overrides,
  })
  const server = createServer(dependencies)
  const respond = (path: string, caller: Caller = {}, init?: RequestInit) =>
    server.respond?.(new Request(`http://connect.example${path}`, init), caller)
  return { respond, lines, ...dependencies }
}
const supported = ['eip155:1']

test.each([listing, chains, picture])(
  'responds to %s without a promise, and with the same headers and log entry as in Hono',
  async (path) => {
    const { respond, lines, metrics } = serve()
    // Only the responses to repeated queries are cached.
    await respond(path)
    const direct = respond(path)
    expect(direct).toBeInstanceOf(Response)
    const inHono = await respond(path, {}, { method: 'HEAD' })
    const [headers, expected] = [direct, inHono].map((response) => new Headers((response as Response).headers))
    for (const one of [headers, expected]) {
      expect(one?.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      one?.delete('x-request-id')
    }
    expect([...(headers ?? [])]).toEqual([...(expected ?? [])])
    const [, first, second] = lines.map(([level, message, fields]) => [
      level,
      message,
      { ...(fields as object), id: '', ms: 0, method: '' },
    ])
    expect(first).toEqual(second)
    expect(await metrics.print()).toMatch(/latchkey_requests_total\{route="[^"]+",method="GET",status="200"\} 2/)
  },
)

test('a request is handled in Hono if its response is not in memory or it is not a GET request', async () => {
  const { respond } = serve()
  for (const path of ['/getWalletImage/owl', '/health', '/getWallets/', '/getWalletImage/'])
    expect(respond(path)).toBeInstanceOf(Promise)
  expect(respond(listing, {}, { method: 'POST' })).toBeInstanceOf(Promise)
})

test('a request ID from a trusted proxy is used', () => {
  const answer = serve().respond(chains, { requestId: 'from-proxy' }) as Response
  expect(answer.headers.get('x-request-id')).toBe('from-proxy')
})

test.each([listing, chains, picture])(
  'for %s, charges the address groups from widest to narrowest, whether or not the limits are in a store',
  async (path) => {
    const keys: string[] = []
    for (const answer of [(seconds: number) => seconds, async (seconds: number) => seconds]) {
      const charged: number[] = []
      const { respond, metrics, inFlight } = serve({
        rateLimiter: {
          take: (key, perMinute) => {
            keys.push(key)
            charged.push(perMinute)
            return answer(charged.length > 3 ? 7 : 0)
          },
        },
        rateLimits: { perAddress: 600, perProject: 0 },
      })
      expect((await respond(path, { address }))?.status).toBe(200)
      const refused = await respond(path, { address })
      expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([429, '7'])
      expect(refused?.headers.get('access-control-allow-origin')).toBe('*')
      expect(charged[0]).toBe(32 * (charged[1] ?? 0))
      expect(await metrics.print()).toContain('of="address"} 1')
      expect(inFlight.held()).toBe(0)
    }
    expect(keys.slice(0, 4)).toEqual(keys.slice(4))
  },
)

test('the clients behind a proxy share its connection but not their limits', async () => {
  const { respond } = serve({ rateLimits: { perAddress: 1, perProject: 0 } })
  const connection = {}
  const statuses: (number | undefined)[] = []
  for (const host of [1, 1, 2, 1, 2]) {
    const answer = await respond(chains, { connection, address: `203.0.113.${host}` })
    statuses.push(answer?.status)
  }
  expect(statuses).toEqual([200, 429, 200, 429, 429])
})

test('a registered project is charged and checked, whether or not the list is in memory', async () => {
  for (const hasCache of [true, false]) {
    const { respond } = serve({
      projects: hasCache ? inMemory([shop]) : inMemoryProjects([shop]),
      rateLimits: { perAddress: 0, perProject: 2 },
    })
    const headers = { origin: 'https://shop.example' }
    expect((await respond(listing, {}, { headers }))?.status).toBe(200)
    expect((await respond(listing.replace('shop', 'other'), {}, { headers }))?.status).toBe(401)
    expect((await respond(listing, {}, { headers: { origin: 'https://evil.example' } }))?.status).toBe(401)
    expect((await respond(listing, {}, { headers }))?.status).toBe(429)
    const old = { headers: { ...headers, 'x-project-id': 'shop' } }
    expect((await respond('/getWallets?page=1', {}, old))?.status).toBe(429)
  }
})

test('the bytes of a request are limited, and are counted until its response has been sent', async () => {
  const { respond, inFlight } = serve({ inFlight: createInFlight({ perAddress: 50_000, total: 1e9 }) })
  const sent: (() => void)[] = []
  const caller = { address, onSent: (listener: () => void) => void sent.push(listener) }
  expect((respond(chains, caller) as Response).status).toBe(200)
  expect(inFlight.held()).toBe(32_768)
  const refused = respond(chains, caller) as Response
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  for (const listener of sent) listener()
  expect(inFlight.held()).toBe(0)
  expect((respond(chains, caller) as Response).status).toBe(200)
})

test('an unexpected error is logged with its request, but not revealed to the client', async () => {
  const { respond, lines } = serve({
    directory: {
      size: 0,
      find: () => {
        throw new Error('postgres://user:secret@db')
      },
    },
  })
  const answer = respond(listing) as Response
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('secret')
  const id = answer.headers.get('x-request-id')
  expect(lines[0]).toMatchObject(['error', 'a request failed', { id, method: 'GET', route: '/getWallets' }])
})
