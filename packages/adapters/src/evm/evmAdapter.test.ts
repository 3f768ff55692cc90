import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Session } from '@latchkey/core/adapter'
import { localChain, scriptedWallet, testAccounts } from '@latchkey/testing'
import { custom, type Hex, toFunctionSelector } from 'viem'
import { base, mainnet, sepolia } from 'viem/chains'
import { encodeAbiParameters } from 'viem/utils'
import { describe, expect, test, vi } from 'vitest'
import { evm } from './evmAdapter.ts'
import { eip1193 } from './evmConnector.ts'
import { networkOf } from './networkFromViemChain.ts'

const [alice] = testAccounts
const never = new AbortController().signal
const account = <Id extends string>(chain: Id) => `${chain}:${alice.address}` as `eip155:${string}:${string}`

describe('networks', () => {
  test('are the configured chains with additional properties [R3.3]', () => {
    const chain = Object.freeze({ ...base })
    const [network] = evm({ chains: [chain] }).networks
    expect(network).toEqual({ ...base, chainNamespace: 'eip155', caipNetworkId: 'eip155:8453' })
    expect(network).toMatchObject({ contracts: base.contracts, formatters: base.formatters })
    expect(network?.rpcUrls).toBe(base.rpcUrls)
  })

  test('that are not configured are described without RPC URLs', () => {
    const adapter = evm()
    expect(adapter.describe?.('eip155:137')).toMatchObject({ name: 'Polygon', nativeCurrency: { symbol: 'POL' } })
    expect(adapter.describe?.('eip155:424242')).toMatchObject({
      id: 424242,
      name: 'Unknown Network',
      caipNetworkId: 'eip155:424242',
      rpcUrls: { default: { http: [] } },
    })
    expect(evm({ chains: [base] }).describe?.('eip155:8453').rpcUrls).toBe(base.rpcUrls)
  })
})

describe('the native balance', () => {
  test('is read with the host’s fetch, unless the chain has a custom transport', async () => {
    const requests: string[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { url } = new Request(input, init)
      requests.push(url)
      const { id } = JSON.parse(String(init?.body)) as { id: number }
      return Response.json({ jsonrpc: '2.0', id, result: '0x9' })
    }
    const chain = { ...base, rpcUrls: { default: { http: ['https://node.example/key'] } } }
    const [network] = evm({ chains: [chain] }).networks
    if (!network) throw new Error('There is no network')
    const ask = { account: account('eip155:8453'), network, fetch, signal: never }
    expect(await evm({ chains: [chain] }).balance?.(ask)).toMatchObject({ value: 9n })
    expect(requests).toEqual(['https://node.example/key'])
    const own = custom({ request: async () => '0x5' })
    expect(await evm({ chains: [chain], transports: { 8453: own } }).balance?.(ask)).toMatchObject({ value: 5n })
    expect(requests).toHaveLength(1)
  })

  test('on an added network is read from that network’s node until the network is removed', async () => {
    const requests: string[] = []
    const node = createServer((request, response) => {
      request.on('data', (body: Buffer) => requests.push(String(body)))
      request.on('end', () =>
        response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(requests.at(-1) ?? '{}').id, result: '0x7' })),
      )
    })
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const { port } = node.address() as AddressInfo
    const adapter = evm({ chains: [mainnet] })
    const network = {
      ...networkOf({ ...base, rpcUrls: { default: { http: [`http://127.0.0.1:${port}`] } } }),
    }
    const read = () => adapter.balance?.({ account: account('eip155:8453'), network, signal: never })
    adapter.change?.({ add: network })
    expect(adapter.networks.map(({ name }) => name)).toEqual(['Ethereum', 'Base'])
    expect(await read()).toMatchObject({ value: 7n })
    expect(requests.join()).toContain('eth_getBalance')
    adapter.change?.({ remove: 'eip155:8453' })
    expect(adapter.networks.map(({ name }) => name)).toEqual(['Ethereum'])
    await expect(read()).rejects.toMatchObject({ code: 'balance/unavailable' })
    node.close()
  })

  test('is read through the host’s transport', async () => {
    const request = vi.fn(async ({ method }: { method: string }) =>
      method === 'eth_getBalance' ? '0x8ac7230489e80001' : null,
    )
    const transport = vi.fn(custom({ request }))
    const adapter = evm({ chains: [base], transports: { [base.id]: transport } })
    const requests = { account: account('eip155:8453'), network: adapter.networks[0] as never, signal: never }
    expect(await adapter.balance?.(requests)).toEqual({
      value: 10_000_000_000_000_000_001n,
      decimals: 18,
      symbol: 'ETH',
    })
    await adapter.balance?.(requests)
    expect(transport).toHaveBeenCalledTimes(1)
    expect(transport.mock.calls[0]?.[0].chain).toBe(base)
    expect(request.mock.calls[0]?.[0]).toEqual({ method: 'eth_getBalance', params: [alice.address, 'latest'] })
  })

  test('is read through the wallet if no chains are configured', async () => {
    const wallet = scriptedWallet({ chains: [localChain({ id: 31337, rpcUrl: 'http://127.0.0.1:1' })] })
    wallet.script.on('eth_getBalance', () => '0x10')
    const adapter = evm({ wallets: [eip1193({ id: 'own', name: 'Own', provider: wallet.provider })] })
    const session = await new Promise<Session<'eip155'>>((resolve) =>
      adapter.discover((connector) => connector.connect({ signal: never }).then(resolve), never),
    )
    const network = adapter.describe?.('eip155:31337') as never
    expect(
      await adapter.balance?.({ account: account('eip155:31337'), network, session, signal: never }),
    ).toMatchObject({ value: 16n })
    // The wallet can only read from its current chain.
    const other = adapter.describe?.('eip155:1') as never
    await expect(
      adapter.balance?.({ account: account('eip155:1'), network: other, session, signal: never }),
    ).rejects.toMatchObject({
      code: 'balance/unavailable',
    })
  })

  test('is reported as unavailable if it cannot be read', async () => {
    const broken = custom({
      request: async () => {
        throw new Error('down')
      },
    })
    const adapter = evm({ chains: [base], transports: { [base.id]: () => broken({ retryCount: 0 }) } })
    const requests = { account: account('eip155:8453'), network: adapter.networks[0] as never, signal: never }
    await expect(adapter.balance?.(requests)).rejects.toMatchObject({ code: 'balance/unavailable' })
    await expect(evm().balance?.(requests)).rejects.toMatchObject({ code: 'balance/unavailable' })
  })

  test.each([[''], ['0x'], ['12'], ['-0x1'], [true], [[]], [['0x10']], [null], [`0x${'f'.repeat(65)}`], ['0x1 ']])(
    'is unavailable if the response is %o',
    async (balance) => {
      const transport = () => custom({ request: async () => balance })({ retryCount: 0 })
      const adapter = evm({ chains: [base], transports: { [base.id]: transport } })
      const requests = { account: account('eip155:8453'), network: adapter.networks[0] as never, signal: never }
      await expect(adapter.balance?.(requests)).rejects.toMatchObject({ code: 'balance/unavailable' })
    },
  )

  test('is aborted by the signal', async () => {
    const stop = new AbortController()
    const adapter = evm({ chains: [base], transports: { [base.id]: custom({ request: () => new Promise(() => {}) }) } })
    const reading = adapter.balance?.({
      account: account('eip155:8453'),
      network: adapter.networks[0] as never,
      signal: stop.signal,
    })
    stop.abort()
    await expect(reading).rejects.toMatchObject({ code: 'request/aborted' })
  })
})

describe('the ENS name of an address', () => {
  const reverse = toFunctionSelector('reverseWithGateways(bytes,uint256,string[])')
  const resolve = toFunctionSelector('resolveWithGateways(bytes,bytes,string[])')

  /** A transport for a chain on which every address resolves to the same name and avatar. */
  function resolver({ name, avatar }: { name: string; avatar: string }) {
    const calls: string[] = []
    const request = async ({ method, params }: { method: string; params?: unknown }): Promise<Hex> => {
      if (method !== 'eth_call') throw new Error(method)
      const [{ data, to }] = params as [{ data: Hex; to: Hex }]
      calls.push(to.toLowerCase())
      if (data.startsWith(reverse)) {
        return encodeAbiParameters([{ type: 'string' }, { type: 'address' }, { type: 'address' }], [name, to, to])
      }
      if (data.startsWith(resolve)) {
        const text = encodeAbiParameters([{ type: 'string' }], [avatar])
        return encodeAbiParameters([{ type: 'bytes' }, { type: 'address' }], [text, to])
      }
      throw new Error(data.slice(0, 10))
    }
    return { calls, transport: custom({ request }) }
  }
  const picture = 'data:image/png;base64,iVBORw0KGgo='
  const asking = (adapter: ReturnType<typeof evm>, at = 0) =>
    adapter.identity?.({ address: alice.address, network: adapter.networks[at] as never, signal: never })

  test('is resolved, along with the avatar, by the chain’s own universal resolver', async () => {
    const { transport, calls } = resolver({ name: 'alice.eth', avatar: picture })
    const adapter = evm({ chains: [mainnet], transports: { [mainnet.id]: transport } })
    expect(await asking(adapter)).toEqual({ name: 'alice.eth', image: picture })
    expect(new Set(calls)).toEqual(new Set([mainnet.contracts.ensUniversalResolver.address.toLowerCase()]))
  })

  test('is resolved on Ethereum if the chain has no resolver and Ethereum is configured', async () => {
    const { transport } = resolver({ name: 'alice.eth', avatar: '' })
    const adapter = evm({ chains: [base, mainnet], transports: { [mainnet.id]: transport } })
    expect(await asking(adapter)).toEqual({ name: 'alice.eth' })
  })

  test.each(['Alice.eth', 'al\u200bice.eth', 'аlice.eth\u202e', ''])('is omitted if it is %o', async (name) => {
    const { transport } = resolver({ name, avatar: '' })
    expect(await asking(evm({ chains: [mainnet], transports: { [mainnet.id]: transport } }))).toEqual({})
  })

  test('is not looked up if the chain is a testnet or if no configured chain has a resolver', async () => {
    const request = vi.fn()
    const transports = { [sepolia.id]: custom({ request }), [base.id]: custom({ request }) }
    const adapter = evm({ chains: [sepolia, base], transports })
    expect(await asking(adapter, 0)).toEqual({})
    expect(await asking(adapter, 1)).toEqual({})
    expect(request).not.toHaveBeenCalled()
  })

  test('is omitted if the chain cannot be read', async () => {
    const request = async () => {
      throw new Error('down')
    }
    const broken = custom({ request })
    expect(
      await asking(evm({ chains: [mainnet], transports: { [mainnet.id]: () => broken({ retryCount: 0 }) } })),
    ).toEqual({})
  })
})
