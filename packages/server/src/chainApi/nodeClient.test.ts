import type { Fault } from '@latchkey/testing'
import { type Anvil, type FaultServer, startAnvil, startFaultServer } from '@latchkey/testing/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetrics } from '../monitoring/metrics.ts'
import { createUpstreams } from '../rpcProxy/upstreamNodes.ts'
import type { RpcProxy } from '../serverDependencies.ts'
import type { ChainConfig } from './chainConfig.ts'
import { createNodeClient, NodeCallError, nodeError } from './nodeClient.ts'

const never = new AbortController().signal

function chainAt(...rpcUrls: string[]): ReadonlyMap<string, ChainConfig> {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = { chainId: 'eip155:31337', name: 'Local', nativeCurrency, testnet: true, rpcUrls, tokens: [] }
  return new Map([[chain.chainId, chain]])
}

function nodesAt(chains: ReadonlyMap<string, ChainConfig>, { responseBytes = 1_000_000 } = {}) {
  const upstreams = new Map([...chains].map(([id, { rpcUrls }]) => [id, rpcUrls]))
  const limits = { timeoutMs: 500, responseBytes }
  const clock = () => performance.now()
  const log = () => {}
  const send = createUpstreams({ upstreams, limits, fetch, metrics: createMetrics(), log, clock })
  return createNodeClient({ chains, send, clock })
}

describe('the node client', () => {
  let anvil: Anvil
  let faulty: FaultServer
  beforeAll(async () => {
    anvil = await startAnvil()
    faulty = await startFaultServer(async (request) => fetch(anvil.url, { method: 'POST', body: await request.text() }))
  })
  afterAll(async () => {
    await faulty.stop()
    await anvil.stop()
  })

  test('reads from a real chain, with viem and directly, including methods that pages cannot use', async () => {
    const nodes = nodesAt(chainAt(anvil.url))
    const client = await nodes.client('eip155:31337')
    expect(await client.getChainId()).toBe(31337)
    expect(await client.getBalance({ address: `0x${'1'.repeat(40)}` })).toBe(0n)
    expect(await nodes.call('eip155:31337', 'anvil_nodeInfo', [])).toMatchObject({ environment: { chainId: 31337 } })
  })

  test('a chain that is not configured is rejected with 400', async () => {
    const nodes = nodesAt(chainAt(anvil.url))
    await expect(nodes.client('eip155:5')).rejects.toMatchObject({ status: 400, field: 'chainId' })
    await expect(nodes.call('eip155:5', 'eth_chainId', [])).rejects.toMatchObject({ status: 400 })
  })

  test('a JSON-RPC error of a node keeps its code', async () => {
    const nodes = nodesAt(chainAt(anvil.url))
    const error = await nodes.call('eip155:31337', 'no_method', []).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NodeCallError)
    expect(error).toMatchObject({ code: -32601 })
  })

  test('uses the next node if one is down', async () => {
    faulty.break({ kind: 'down' })
    const nodes = nodesAt(chainAt(faulty.url, anvil.url))
    expect(await (await nodes.client('eip155:31337')).getChainId()).toBe(31337)
    faulty.mend()
  })

  test.each<Fault>([
    { kind: 'down' },
    { kind: 'status', code: 500 },
    { kind: 'bad-json' },
    { kind: 'wrong-types' },
    { kind: 'huge', bytes: 2_000_000 },
    { kind: 'hang' },
  ])('if the only node does not respond properly, reads fail with 503 and a delay: %j', async (fault) => {
    faulty.break(fault)
    const nodes = nodesAt(chainAt(faulty.url))
    const load = async (signal: AbortSignal) =>
      (await nodes.client('eip155:31337', signal)).getBalance({ address: `0x${'1'.repeat(40)}` })
    const error = await nodes
      .read({ kind: 'balance', key: 'a', signal: never, load })
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ status: 503, seconds: expect.any(Number) })
    faulty.mend()
  })

  test('a response that is too large or not JSON-RPC counts as a failure of the node', async () => {
    const answers = [
      { jsonrpc: '2.0', id: 1, result: 'x'.repeat(2000) },
      { jsonrpc: '2.0', id: 1 },
      [],
      { jsonrpc: '2.0', id: 1, result: [] },
    ]
    const server = await startFaultServer(() => Response.json(answers.shift()))
    const nodes = nodesAt(chainAt(server.url), { responseBytes: 1000 })
    for (let turn = 0; turn < 4; turn++)
      await expect(nodes.call('eip155:31337', 'eth_chainId', [])).rejects.toMatchObject({ status: 503 })
    await server.stop()
  })

  test('hasCode() resolves to whether a contract is deployed', async () => {
    const nodes = nodesAt(chainAt(anvil.url))
    expect(await nodes.hasCode('eip155:31337', '0x4e59b44847b379578588920ca78fbf26c0b4956c', never)).toBe(true)
    expect(await nodes.hasCode('eip155:31337', `0x${'1'.repeat(40)}`, never)).toBe(false)
  })

  test('an error that a node reported inside viem becomes 503, because the input was valid', async () => {
    const client = await nodesAt(chainAt(anvil.url)).client('eip155:31337')
    const error = await client.request({ method: 'no_method' as 'eth_chainId' }).catch((reason: unknown) => reason)
    expect(nodeError(error)).toMatchObject({ status: 503 })
  })
})

describe('shared reads', () => {
  function counted() {
    let now = 0
    let calls = 0
    const release: (() => void)[] = []
    const send: RpcProxy['send'] = async (_chainId, _body, signal) => {
      calls += 1
      await new Promise<void>((resolve) => {
        release.push(resolve)
        signal.addEventListener('abort', () => resolve())
      })
      if (signal.aborted) return { kind: 'unavailable' }
      return { kind: 'answered', body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: calls }) }
    }
    const nodes = createNodeClient({ chains: chainAt('https://node.example'), send, clock: () => now })
    const read = (signal: AbortSignal = never, isForced = false) =>
      nodes.read({
        kind: 'balance',
        key: 'a',
        signal,
        isForced,
        load: (shared) => nodes.call('eip155:31337', 'test_count', [], shared),
      })
    const answer = async () => {
      await expect.poll(() => release.length).toBeGreaterThan(0)
      for (const resolve of release.splice(0)) resolve()
    }
    return { nodes, read, answer, calls: () => calls, pass: (ms: number) => (now += ms) }
  }

  test('identical concurrent reads share one call, and the result is cached for ten seconds', async () => {
    const { read, answer, calls, pass } = counted()
    const reading = Promise.all([read(), read(), read()])
    await answer()
    expect(await reading).toEqual([1, 1, 1])
    pass(9_999)
    expect(await read()).toBe(1)
    pass(2)
    const again = read()
    await answer()
    expect(await again).toBe(2)
    expect(calls()).toBe(2)
  })

  test('a forced read replaces the cached result', async () => {
    const { read, answer } = counted()
    const first = read()
    await answer()
    await first
    const forced = read(never, true)
    await answer()
    expect(await forced).toBe(2)
    expect(await read()).toBe(2)
  })

  test('the read is aborted only when its last caller aborts', async () => {
    const { read, answer, calls } = counted()
    const [one, two] = [new AbortController(), new AbortController()]
    const reading = Promise.allSettled([read(one.signal), read(two.signal)])
    await expect.poll(calls).toBe(1)
    one.abort()
    await answer()
    expect(await reading).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 1 }])

    const three = new AbortController()
    const alone = read(three.signal, true)
    await expect.poll(calls).toBe(2)
    three.abort()
    await expect(alone).rejects.toMatchObject({ status: 503 })
    expect(await read()).toBe(1)
  })

  test('a failure is not cached', async () => {
    const { nodes } = counted()
    let turn = 0
    const read = () =>
      nodes.read({
        kind: 'balance',
        key: 'b',
        signal: never,
        load: async () => {
          turn += 1
          if (turn === 1) throw new Error('failed')
          return turn
        },
      })
    await expect(read()).rejects.toThrow('failed')
    expect(await read()).toBe(2)
  })

  test('reads beyond the limit are rejected with 503 and a delay', async () => {
    const { nodes, answer } = counted()
    const read = (key: number) =>
      nodes.read({
        kind: 'price',
        key: String(key),
        signal: never,
        load: (signal) => nodes.call('eip155:31337', 'test_count', [], signal),
      })
    const admitted = Array.from({ length: 192 }, (_, key) => read(key))
    await expect(read(1000)).rejects.toMatchObject({ status: 503, seconds: 1 })
    for (let turn = 0; turn < 3; turn++) await answer()
    await expect(Promise.all(admitted)).resolves.toHaveLength(192)
  })
})
