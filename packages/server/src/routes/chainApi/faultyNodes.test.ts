import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nativeTokenAddress } from '@latchkey/protocol/http/chainApi'
import { testAccounts } from '@latchkey/testing'
import {
  type Anvil,
  deployExchange,
  deployNameService,
  startAnvil,
  type TestExchange,
  type TestNameService,
} from '@latchkey/testing/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ChainConfig } from '../../chainApi/chainConfig.ts'
import { type ChainApiServer, chainApiServer } from '../../testing/chainApiServer.ts'

// Sends each group of requests to a server whose node is faulty. Each request must fail in time with a reason, and a second
// node must be used if there is one.

const chainId = 'eip155:31337'
const [alice] = testAccounts
const native = `${chainId}:${nativeTokenAddress}`
const user = `${chainId}:${alice.address}`

let anvil: Anvil
let exchange: TestExchange
let ens: TestNameService
let node: Server
let fault: Fault | undefined
let usdc: string
beforeAll(async () => {
  anvil = await startAnvil()
  exchange = await deployExchange({ chain: anvil.chain })
  ens = await deployNameService({ chain: anvil.chain })
  await ens.register('alice.eth', { address: alice.address })
  await ens.setPrimaryName(alice.privateKey, 'alice.eth')
  usdc = `${chainId}:${exchange.tokens.usdc.address}`
  node = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (fault) return fault(response, body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(await fromAnvil(body))
  }).listen(0, '127.0.0.1')
  await once(node, 'listening')
}, 120_000)
afterAll(async () => {
  node.closeAllConnections()
  node.close()
  await anvil.stop()
})
beforeEach(() => {
  fault = undefined
})

async function fromAnvil(body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(anvil.url, { method: 'POST', headers, body })).text()
}

type Fault = (response: ServerResponse, body: string) => void

interface Call {
  readonly id: number
}
const each = (body: string, answer: (call: Call, index: number) => unknown): string => {
  const json = JSON.parse(body) as Call | Call[]
  return JSON.stringify(Array.isArray(json) ? json.map(answer) : answer(json, 0))
}
const ok = (response: ServerResponse, text: string): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(text)
const result =
  (value: unknown): Fault =>
  (response, body) =>
    ok(
      response,
      each(body, ({ id }) => ({ jsonrpc: '2.0', id, result: value })),
    )

/** The faults after which another node is tried. */
const transportFaults: Readonly<Record<string, Fault>> = {
  'closes the connection': (response) => void response.destroy(),
  'never responds': () => {},
  'sends one byte at a time': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(timer))
  },
  'ends its response early': (response) => {
    response.writeHead(200, { 'content-length': 1_000 })
    response.write('{"jsonrpc":"2.0","id":1,', () => response.destroy())
  },
  'responds with half of the JSON': (response) => ok(response, '{"jsonrpc":"2.0","id":1,"result":"0x'),
  'responds with a page': (response) => ok(response, '<html><body>502 Bad Gateway</body></html>'),
  'responds with 500': (response) => void response.writeHead(500).end('{}'),
  'responds with 429': (response) => void response.writeHead(429).end('{"error":"slow down"}'),
  'redirects into the network': (response) =>
    void response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  'responds with more than is allowed': (response) => ok(response, `{"result":"${'x'.repeat(8_000_000)}"}`),
  'responds with an object that is no response': (response) => ok(response, '{"message":"forbidden"}'),
}

/** The faults in the content of responses. */
const contentFaults: Readonly<Record<string, Fault>> = {
  'responds with numbers': result(7),
  'responds with lists': result([]),
  'responds with objects': result({}),
  'responds with null': result(null),
  'responds with words': result('0xzz'),
  'responds with a list that is nested deeply': (response) =>
    ok(response, `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
  'confuses the IDs': (response, body) =>
    ok(
      response,
      each(body, (_, index) => ({ jsonrpc: '2.0', id: index + 1_000, result: '0x1' })),
    ),
  'is overloaded': (response, body) =>
    ok(
      response,
      each(body, ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32005, message: 'limit exceeded' } })),
    ),
  'fails inside': (response, body) =>
    ok(
      response,
      each(body, ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error' } })),
    ),
}

const account = `/v1/account/${alice.address}`
type Ask = (server: ChainApiServer) => ReturnType<ChainApiServer['get']>
const swap = () => ({
  amount: '1000000000000000',
  from: native,
  to: usdc,
  userAddress: user,
  eip155: { slippage: 1 },
  disableEstimate: true,
})
const groups: Readonly<Record<string, Ask>> = {
  identity: ({ get }) => get(`/v1/identity/${alice.address}`),
  balances: ({ get }) => get(`${account}/balance?chainId=${chainId}`),
  'balances with forceUpdate': ({ get }) => get(`${account}/balance?chainId=${chainId}&forceUpdate=${native},${usdc}`),
  history: ({ get }) => get(`${account}/history?chainId=${chainId}`),
  prices: ({ post }) => post('/v1/fungible/price', { currency: 'usd', addresses: [native] }),
  quotes: ({ get }) => get(`/v1/convert/quotes?amount=1000000000000000&from=${native}&to=${usdc}`),
  allowance: ({ get }) => get(`/v1/convert/allowance?tokenAddress=${usdc}&userAddress=${user}`),
  'gas prices': ({ get }) => get(`/v1/convert/gas-price?chainId=${chainId}`),
  approvals: ({ get }) => get(`/v1/convert/build-approve?from=${usdc}&to=${native}&userAddress=${user}`),
  swaps: ({ post }) => post('/v1/convert/build-transaction', swap()),
}

const nodeUrl = () => `http://127.0.0.1:${(node.address() as AddressInfo).port}`
function serverOn(...rpcUrls: string[]): ChainApiServer {
  const chain: ChainConfig = {
    chainId,
    name: 'Local chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    testnet: true,
    rpcUrls,
    tokens: exchange.tokenList.tokens,
    multicall3: exchange.multicall3,
    exchange: exchange.contracts,
    ens: { universalResolver: ens.universalResolver },
  }
  return chainApiServer({ chains: [chain], timeoutMs: 250, verifiesChains: true })
}

const failure = { status: 'FAILED', reasons: [{ field: expect.any(String), description: expect.stringMatching(/\w/) }] }

describe.each(Object.entries(groups))('%s', (_, ask) => {
  test('with a working node, the response is 200', async () => {
    expect(await ask(serverOn(nodeUrl()))).toMatchObject({ status: 200 })
  })

  test.each(Object.entries(transportFaults))(
    'if the node %s, the response is 503 in time, and a second node is used if there is one',
    async (_name, broken) => {
      fault = broken
      const started = performance.now()
      const answer = await ask(serverOn(nodeUrl()))
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 503, body: failure })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(performance.now() - started).toBeLessThan(4_000)
      expect(await ask(serverOn(nodeUrl(), anvil.url))).toMatchObject({ status: 200 })
    },
  )

  test.each(Object.entries(contentFaults))(
    'if the node %s, the response is 503, and it is 200 again once the node works',
    async (_name, broken) => {
      const server = serverOn(nodeUrl())
      fault = broken
      const answer = await ask(server)
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 503, body: failure })
      fault = undefined
      await expect.poll(async () => (await ask(server)).status, { timeout: 8_000, interval: 100 }).toBe(200)
    },
  )
})

test('responses that are too large are not kept in memory: a hundred of them add less than 300 MB', async () => {
  fault = transportFaults['responds with more than is allowed']
  const server = serverOn(nodeUrl())
  const ask = groups.balances as Ask
  await ask(server)
  const before = process.memoryUsage().rss
  for (let at = 0; at < 100; at++) await ask(server)
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
})
