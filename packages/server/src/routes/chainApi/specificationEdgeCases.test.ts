import { getBalances, getHistory } from '@latchkey/protocol/http/chainApi'
import { read } from '@latchkey/protocol/parseWithSchema'
import { testAccounts } from '@latchkey/testing'
import { describe, expect, test } from 'vitest'
import type { ChainConfig } from '../../chainApi/chainConfig.ts'
import { chainApiServer } from '../../testing/chainApiServer.ts'

// Behavior that clients of the specification depend on, that is easily overlooked, and that no other route test covers.

const [alice] = testAccounts
const chainWith = (chainId: string): ChainConfig => ({
  chainId,
  name: 'A chain whose node is down',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  testnet: false,
  rpcUrls: ['http://127.0.0.1:1'],
  tokens: [],
})
const common = 'projectId=shop&st=appkit&sv=react-wagmi-1.7.5&clientId=did:key:z6Mk'
const origin = 'https://shop.example'
const failure = { status: 'FAILED', reasons: [{ field: expect.any(String), description: expect.stringMatching(/\w/) }] }

describe('Rootstock (chains 30 and 31)', () => {
  const { get } = chainApiServer({ chains: [chainWith('eip155:1')] })

  test.each(['eip155:30', 'eip155:31'])('balances and history on %s are empty', async (chainId) => {
    const balances = await get(`/v1/account/${alice.address}/balance?${common}&currency=usd&chainId=${chainId}`)
    expect({ status: balances.status, body: balances.body }).toEqual({ status: 200, body: { balances: [] } })
    expect(read(getBalances.answer, balances.body)).toBeDefined()
    const history = await get(`/v1/account/${alice.address}/history?${common}&chainId=${chainId}`)
    expect({ status: history.status, body: history.body }).toEqual({ status: 200, body: { data: [], next: null } })
    expect(read(getHistory.answer, history.body)).toBeDefined()
  })

  test('a malformed address is rejected with 400', async () => {
    for (const path of ['balance', 'history'])
      expect(await get(`/v1/account/0x12/${path}?${common}&chainId=eip155:30`)).toMatchObject({
        status: 400,
        body: { reasons: [{ field: 'address' }] },
      })
  })

  test('if the operator has configured a node, it is used', async () => {
    const { get: ask } = chainApiServer({ chains: [chainWith('eip155:30')] })
    for (const path of ['balance', 'history'])
      expect(await ask(`/v1/account/${alice.address}/${path}?${common}&chainId=eip155:30`)).toMatchObject({
        status: 503,
      })
  })
})

describe('smart sessions, which this server does not grant', () => {
  const { server } = chainApiServer({ chains: [] })
  const account = `v1/sessions/eip155:1:${alice.address}`

  test.each([
    ['create', 'POST', `${account}?v=2`],
    ['activate', 'POST', `${account}/activate?`],
    ['getcontext', 'GET', `${account}/getcontext?pci=5f6bd7c0-0000-4000-8000-000000000000`],
    ['sign', 'POST', `${account}/sign?`],
  ])('%s responds with 404 and a reason that pages can read, and never with a signature', async (_, method, path) => {
    const body = method === 'POST' ? { body: JSON.stringify({ pci: '1', userOp: {} }) } : {}
    const headers = { origin, 'content-type': 'text/plain' }
    const request = new Request(`http://connect.test/${path}&${common}`, { method, headers, ...body })
    const response = await server(request)
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 404, body: failure })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('too many requests', () => {
  const perAddress = 3
  const address = '203.0.113.7'
  const owner = `eip155:1:${alice.address}`
  const native = 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
  const tokens = `from=${native}&to=${native}`

  test.each([
    ['supported-chains', undefined],
    [`identity/${alice.address}`, undefined],
    [`account/${alice.address}/history`, undefined],
    [`account/${alice.address}/balance`, undefined],
    ['fungible/price', { addresses: [native], currency: 'usd' }],
    ['convert/tokens?chainId=eip155:1', undefined],
    [`convert/quotes?amount=1&${tokens}`, undefined],
    [`convert/allowance?tokenAddress=${native}&userAddress=${owner}`, undefined],
    ['convert/gas-price?chainId=eip155:1', undefined],
    [`convert/build-approve?${tokens}`, undefined],
    ['convert/build-transaction', { projectId: 'shop' }],
    ['profile/account/alice.shop.example', undefined],
    [`profile/reverse/${alice.address}`, undefined],
    ['profile/suggestions/alice', undefined],
    ['profile/account', {}],
    ['onramp/options', undefined],
    ['onramp/quote', {}],
    ['generators/onrampurl', {}],
    [`sessions/${owner}`, undefined],
    [`sessions/${owner}/revoke`, { pci: '1' }],
  ])(
    'to %s are rejected with 429, a reason and a retry delay that pages can read, and only for the address that sends them',
    async (path, body) => {
      const { server } = chainApiServer({ chains: [], rateLimits: { perAddress, perProject: 0 } })
      const ask = (from: string) => {
        const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
        const url = new URL(`http://connect.test/v1/${path}`)
        for (const [name, value] of new URLSearchParams(common)) url.searchParams.set(name, value)
        return server(new Request(url, { ...init, headers: { origin } }), { address: from })
      }
      let response = await ask(address)
      expect(response.status).not.toBe(429)
      for (let at = 1; at <= perAddress && response.status !== 429; at++) response = await ask(address)
      expect({ status: response.status, body: await response.json() }).toEqual({ status: 429, body: failure })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect((await ask('198.51.100.8')).status).not.toBe(429)
    },
  )
})
