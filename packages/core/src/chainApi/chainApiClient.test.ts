import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getBalances, postPrices } from '@latchkey/protocol/http/chainApi'
import { fakeClock } from '@latchkey/protocol/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { createChainApiClient } from './chainApiClient.ts'

interface Received {
  readonly method: string
  readonly url: URL
  readonly contentType: string | undefined
  readonly body: string
}

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Starts a server that responds with `answer`, and records the requests. It does not respond if `answer` is `undefined`. */
async function serve(answer: (request: Received) => { status?: number; json: unknown } | undefined) {
  const received: Received[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const entry = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', 'http://server'),
      contentType: request.headers['content-type'],
      body,
    }
    received.push(entry)
    const answered = answer(entry)
    if (!answered) return
    response.writeHead(answered.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answered.json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = fakeClock()
  const client = createChainApiClient({ url, projectId: 'shop', fetch, clock, clientId: () => 'did:key:z1' })
  closers.push(() => {
    client.stop()
    server.closeAllConnections()
    server.close()
  })
  return { url, client, clock, received }
}

const balances = { params: { address: '0xabc' }, query: { chainId: 'eip155:1', currency: 'usd' as const } }

test('a request contains the path parameters, and the project, the SDK and the relay client in its query', async () => {
  const { client, received } = await serve(() => ({ json: { balances: [] } }))
  expect(await client.call(getBalances, balances)).toEqual({ balances: [] })
  const [{ url }] = received as [Received]
  expect(url.pathname).toBe('/v1/account/0xabc/balance')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    chainId: 'eip155:1',
    currency: 'usd',
    projectId: 'shop',
    st: 'latchkey',
    sv: expect.stringMatching(/^react-/),
    clientId: 'did:key:z1',
  })
})

test('a body is sent as text, so that browsers need no CORS preflight', async () => {
  const { client, received } = await serve(() => ({ json: { fungibles: [] } }))
  await client.call(postPrices, { body: { currency: 'usd', addresses: ['eip155:1:0xabc'] } })
  const [{ method, contentType, body }] = received as [Received]
  expect([method, contentType]).toEqual(['POST', 'text/plain;charset=UTF-8'])
  expect(JSON.parse(body)).toEqual({ currency: 'usd', addresses: ['eip155:1:0xabc'] })
})

test('an error contains the status and the reason of the response, even if a library replaced `Response`', async () => {
  vi.stubGlobal('Response', class {})
  const { client, received } = await serve(() => ({
    status: 400,
    json: { status: 'FAILED', reasons: [{ field: 'to', description: 'insufficient liquidity' }] },
  }))
  await expect(client.call(getBalances, balances)).rejects.toMatchObject({
    code: 'http/failed',
    details: { status: 400, reason: 'insufficient liquidity' },
  })
  expect(received).toHaveLength(1)
})

test.each([429, 500, 503])('a request that fails with %i is not sent again', async (status) => {
  const { client, clock, received } = await serve(() => ({ status, json: {} }))
  await expect(client.call(getBalances, balances)).rejects.toMatchObject({ code: 'http/failed', details: { status } })
  await clock.pass(600_000)
  expect(received).toHaveLength(1)
})

test('an error without reasons is reported as `http/failed`, and a malformed response as `http/malformed`', async () => {
  let json: unknown = 'oops'
  let status = 500
  const { client } = await serve(() => ({ status, json }))
  await expect(client.call(getBalances, balances)).rejects.toMatchObject({
    code: 'http/failed',
    details: { status: 500 },
  })
  status = 200
  json = { balances: 'many' }
  await expect(client.call(getBalances, balances)).rejects.toMatchObject({ code: 'http/malformed' })
})

test('the list of chains is requested once; after an empty list or a failure, it is requested again', async () => {
  const lists: unknown[] = [{ http: [], ws: [] }, 'oops', { http: ['eip155:1'], ws: [] }]
  const { client, received } = await serve(() => ({ json: lists.shift() }))
  expect(await client.supports('eip155:1')).toBe(false)
  await expect(client.supports('eip155:1')).rejects.toMatchObject({ code: 'http/malformed' })
  expect(await Promise.all([client.supports('eip155:1'), client.supports('eip155:10')])).toEqual([true, false])
  expect(await client.supports('eip155:1')).toBe(true)
  expect(received).toHaveLength(3)
})

test.each([
  [{ http: ['eip155:1', 'eip155:5'], ws: [], swaps: ['eip155:1'] }, [true, false]],
  [{ http: ['eip155:1', 'eip155:5'], ws: [] }, [undefined, undefined]],
])('supportsSwaps() reads `swaps`, and resolves to undefined if the response lacks it: %j', async (json, expected) => {
  const { client, received } = await serve(() => ({ json }))
  expect(await Promise.all([client.supportsSwaps('eip155:1'), client.supportsSwaps('eip155:5')])).toEqual(expected)
  expect(received).toHaveLength(1)
})

test('a request rejects with `http/unreachable` after 30 seconds, and with `request/aborted` if it is aborted', async () => {
  let arrived = (): void => {}
  const { client, clock } = await serve(() => {
    arrived()
    return undefined
  })
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      arrived = resolve
    })
  const first = next()
  const late = client.call(getBalances, balances)
  late.catch(() => undefined)
  await first
  await clock.pass(30_000)
  await expect(late).rejects.toMatchObject({ code: 'http/unreachable' })
  const second = next()
  const page = new AbortController()
  const aborted = client.call(getBalances, { ...balances, signal: page.signal })
  aborted.catch(() => undefined)
  await second
  page.abort()
  await expect(aborted).rejects.toMatchObject({ code: 'request/aborted' })
  const third = next()
  const stopped = client.call(getBalances, balances)
  stopped.catch(() => undefined)
  await third
  client.stop()
  await expect(stopped).rejects.toMatchObject({ code: 'request/aborted' })
})
