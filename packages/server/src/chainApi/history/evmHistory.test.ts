import { getHistory, type HistoryTransaction } from '@latchkey/protocol/http/chainApi'
import { testAccounts } from '@latchkey/testing'
import {
  type Anvil,
  deployTestToken,
  type FaultServer,
  startAnvil,
  startFaultServer,
  type TestToken,
} from '@latchkey/testing/node'
import * as v from 'valibot'
import {
  concat,
  createTestClient,
  createWalletClient,
  encodeAbiParameters,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  maxUint256,
  pad,
  parseEther,
  publicActions,
  stringToHex,
  toEventSelector,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetrics } from '../../monitoring/metrics.ts'
import { createUpstreams } from '../../rpcProxy/upstreamNodes.ts'
import type { HistoryReader } from '../chainApiTypes.ts'
import type { ChainConfig } from '../chainConfig.ts'
import { createNodeBatch } from '../nodeBatch.ts'
import { createHistoryReader } from './historyReader.ts'
import { transferTopic } from './tokenEvents.ts'

const chainId = 'eip155:31337'
const signal = new AbortController().signal
const [alice, bob, carol, mallory] = testAccounts.map(({ privateKey }) => privateKeyToAccount(privateKey)) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
]
const zero = '0x0000000000000000000000000000000000000000'

let anvil: Anvil
let token: TestToken
let forwarder: Hex

beforeAll(async () => {
  anvil = await startAnvil()
  token = await deployTestToken({ chain: anvil.chain, holders: [alice.address, bob.address], name: 'Test Dollar' })
  forwarder = await deploy(forwarderCode)
})
afterAll(() => anvil.stop())

/** The code of a contract that forwards the value of a call to the address in the calldata. */
const forwarderCode = '0x600060006000600034600035 5af100'.replace(' ', '') as Hex

/**
 * The code of a contract that emits any event: its topics, then its data. For a call of four bytes, it returns `name`,
 * whichever function is called.
 */
function emitterCode(topics: 3 | 4, name: Hex): Hex {
  const push = Array.from({ length: topics }, (_, at) => `60${byte((topics - 1 - at) * 32)}35`).join('')
  const emit =
    `${push}60${byte(topics * 32)}360380 60${byte(topics * 32)}6000376000${topics === 3 ? 'a3' : 'a4'}00`.replace(
      ' ',
      '',
    )
  const body = encodeAbiParameters([{ type: 'string' }], [Buffer.from(name.slice(2), 'hex').toString('utf8')]).slice(2)
  const target = 7 + emit.length / 2
  const size = body.length / 2
  const word = (value: number) => value.toString(16).padStart(4, '0')
  const reply = `5b61${word(size)}61${word(target + 16)}600039 61${word(size)}6000f3`.replace(' ', '')
  return `0x3660041460${byte(target)}57${emit}${reply}${body}`
}

const byte = (value: number) => value.toString(16).padStart(2, '0')

const test_ = () => createTestClient({ mode: 'anvil', chain: anvil.chain, transport: http() }).extend(publicActions)

let deployed = 0x1000
async function deploy(bytecode: Hex): Promise<Hex> {
  const address = pad(toHex(++deployed), { size: 20 })
  await test_().setCode({ address, bytecode })
  return address
}

const wallet = (account: typeof alice) =>
  createWalletClient({ account, chain: anvil.chain, transport: http() }).extend(publicActions)

async function mined(hash: Promise<Hex>): Promise<Hex> {
  await test_().waitForTransactionReceipt({ hash: await hash, pollingInterval: 10 })
  return hash
}

function chainWith(url: string, extra: Partial<ChainConfig> = {}): ChainConfig {
  return {
    chainId,
    name: 'Anvil',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    testnet: true,
    rpcUrls: [url],
    tokens: [
      {
        address: token.address,
        name: 'Test Dollar',
        symbol: 'TUSD',
        decimals: 6,
        logoUri: 'https://img.example/t.png',
      },
    ],
    ...extra,
  }
}

function readerOf(
  chain: ChainConfig,
  { timeoutMs = 10_000, indexerTimeoutMs }: { timeoutMs?: number; indexerTimeoutMs?: number } = {},
): HistoryReader {
  const send = createUpstreams({
    upstreams: new Map([[chain.chainId, chain.rpcUrls]]),
    limits: { timeoutMs, responseBytes: 10_000_000 },
    fetch,
    metrics: createMetrics(),
    log: () => {},
    clock: () => performance.now(),
  })
  return createHistoryReader({
    chains: new Map([[chain.chainId, chain]]),
    callNode: createNodeBatch(send),
    fetch,
    clock: () => performance.now(),
    log: () => {},
    indexerTimeoutMs,
  })
}

async function rpc(method: string, params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json()
}

/** Starts a node that rejects the calls for which `refuses` returns an error message. */
async function limitedNode(
  refuses: (call: { method: string; params: never[] }) => string | undefined,
): Promise<FaultServer> {
  return startFaultServer(async (request) => {
    const body = (await request.json()) as never
    const calls = (Array.isArray(body) ? body : [body]) as { id: number; method: string; params: never[] }[]
    const answers = await Promise.all(
      calls.map(async (call) => {
        const message = refuses(call)
        if (message) return { jsonrpc: '2.0', id: call.id, error: { code: -32601, message } }
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) }
        return (await fetch(anvil.url, init)).json()
      }),
    )
    return Response.json(Array.isArray(body) ? answers : answers[0])
  })
}

const query = { chainId, currency: 'usd' } as const
/** Returns the first page, as a client parses it. Transactions that it cannot parse are missing. */
const first = async (reader: HistoryReader, address: string) =>
  v.parse(getHistory.answer, JSON.parse(JSON.stringify(await reader.history(address, query, signal)))).data

function summary({ metadata, transfers }: HistoryTransaction) {
  const moved = transfers.map(({ direction, quantity, fungible_info, nft_info }) =>
    [direction, quantity.numeric, fungible_info?.symbol ?? nft_info?.name].join(' '),
  )
  return [metadata.operationType, metadata.status, ...moved].join(', ')
}

describe('history items', () => {
  let own: readonly HistoryTransaction[]
  let bobs: readonly HistoryTransaction[]

  beforeAll(async () => {
    const sender = wallet(alice)
    await mined(sender.sendTransaction({ to: bob.address, value: parseEther('1.5') }))
    const erc20 = { address: token.address, abi: erc20Abi } as const
    await mined(sender.writeContract({ ...erc20, functionName: 'transfer', args: [bob.address, 12_500_000n] }))
    await mined(sender.writeContract({ ...erc20, functionName: 'approve', args: [carol.address, maxUint256] }))
    await mined(
      sender.writeContract({ ...erc20, functionName: 'transfer', args: [bob.address, maxUint256], gas: 100_000n }),
    )
    await mined(sender.sendTransaction({ to: forwarder, value: parseEther('0.25'), data: pad(bob.address) }))
    await mined(sender.deployContract({ abi: [], bytecode: '0x6001600c60003960016000f300' }))
    await mined(sender.sendTransaction({ to: forwarder, data: pad(bob.address) }))
    const nft = await deploy(emitterCode(4, stringToHex('Sample Punks')))
    const minting = [transferTopic, pad(zero), pad(alice.address), pad('0x7')]
    await mined(sender.sendTransaction({ to: nft, data: `0x${minting.map((word) => word.slice(2)).join('')}` }))
    own = await first(readerOf(chainWith(anvil.url)), alice.address)
    bobs = await first(readerOf(chainWith(anvil.url)), bob.address)
  })

  test('a page lists the account’s transactions, newest first, with at least one transfer each', () => {
    expect(own.map(summary)).toEqual([
      'mint, confirmed, in 1 Sample Punks #7',
      'execute, confirmed, out 0 ETH',
      'deploy, confirmed, out 0 ETH',
      'send, confirmed, out 0.25 ETH',
      'send, failed, out 0 ETH',
      'approve, confirmed, out 0 ETH',
      'send, confirmed, out 12.5 TUSD',
      'send, confirmed, out 1.5 ETH',
      'receive, confirmed, in 10000 TUSD',
    ])
  })

  test('payments by contracts are part of the history of the recipient', () => {
    expect(bobs.map(summary)).toEqual([
      'receive, confirmed, in 0.25 ETH',
      'receive, confirmed, in 12.5 TUSD',
      'receive, confirmed, in 1.5 ETH',
      'receive, confirmed, in 10000 TUSD',
    ])
  })

  test('every item contains the chain, the parties of the transfer and the time of the block', async () => {
    const sent = own.find(({ transfers }) => transfers[0]?.quantity.numeric === '12.5')
    expect(sent?.metadata).toMatchObject({
      chain: chainId,
      sentFrom: alice.address,
      sentTo: bob.address,
      application: null,
      nonce: 1,
    })
    expect(own.every(({ metadata }) => metadata.chain === chainId)).toBe(true)
    const block = await test_().getBlock({
      blockNumber: (await test_().getTransaction({ hash: sent?.metadata.hash as Hex })).blockNumber ?? 0n,
    })
    expect(sent?.metadata.minedAt).toBe(new Date(Number(block.timestamp) * 1000).toISOString())
    expect(sent?.transfers[0]).toMatchObject({
      fungible_info: { name: 'Test Dollar', icon: { url: 'https://img.example/t.png' } },
      nft_info: null,
      value: null,
      price: null,
      token: `${chainId}:${getAddress(token.address)}`,
    })
  })

  test('an account without transactions has an empty page', async () => {
    const address = '0x00000000000000000000000000000000000e0e0e'
    expect(await readerOf(chainWith(anvil.url)).history(address, query, signal)).toEqual({ data: [], next: null })
  })
})

describe('spam and address poisoning', () => {
  const victim = carol
  let page: readonly HistoryTransaction[]

  const emit = async (contract: Hex, from: Hex, to: Hex, rest: Hex) => {
    const words = [transferTopic, pad(from), pad(to), rest].map((word) => word.slice(2)).join('')
    return mined(wallet(mallory).sendTransaction({ to: contract, data: `0x${words}`, gas: 200_000n }))
  }

  beforeAll(async () => {
    await mined(wallet(victim).sendTransaction({ to: bob.address, value: parseEther('1') }))
    const fake = await deploy(emitterCode(3, stringToHex('\u202eUSD Coin https://claim-usdc.example now')))
    const lookalike = `0x${bob.address.slice(2, 6)}${'00'.repeat(16)}${bob.address.slice(-4)}`.toLowerCase() as Hex
    // A transfer of zero units of a real token in the victim's name, which anyone can make.
    const erc20 = { address: token.address, abi: erc20Abi } as const
    await mined(
      wallet(mallory).writeContract({ ...erc20, functionName: 'transferFrom', args: [victim.address, lookalike, 0n] }),
    )
    // A token whose contract reports a transfer from the victim.
    await emit(fake, victim.address, lookalike, pad(toHex(1_000_000n)))
    // An unsolicited token.
    await emit(fake, mallory.address, victim.address, pad(toHex(10n ** 33n)))
    // Dust from an address that looks like one that the victim has paid.
    await test_().impersonateAccount({ address: lookalike })
    await test_().setBalance({ address: lookalike, value: parseEther('1') })
    await mined(
      createWalletClient({ chain: anvil.chain, transport: http() }).sendTransaction({
        account: lookalike,
        to: victim.address,
        value: 1n,
      }),
    )
    const drop = await deploy(emitterCode(4, stringToHex('Claim your reward at usdc-gift.com')))
    await emit(drop, zero, victim.address, toHex(1n, { size: 32 }))
    const gift = await deploy(emitterCode(4, stringToHex('Sample Punks')))
    await emit(gift, mallory.address, victim.address, toHex(2n, { size: 32 }))
    page = await first(readerOf(chainWith(anvil.url)), victim.address)
  })

  test('unsolicited movements are marked, and never appear to be sent by the account', () => {
    expect(page.map((item) => [summary(item), item.transfers.map(({ isSpam }) => isSpam === true)].join())).toEqual([
      'receive, confirmed, in 1 Sample Punks #2,false',
      'execute, confirmed, in 1 Claim your reward at #1,true',
      'execute, confirmed, in 0.000000000000000001 ETH,true',
      'execute, confirmed, in 10 USD Coin now,true',
      'execute, confirmed, out 0.00000000000000000000000001 USD Coin now,true',
      'execute, confirmed, out 0 TUSD,true',
      'send, confirmed, out 1 ETH,false',
    ])
    for (const item of page.slice(0, -1)) expect(item.metadata.sentFrom).not.toBe(victim.address)
  })

  test('NFT spam has the flag by which other clients hide it, and unlisted tokens are marked', () => {
    expect(page.map(({ transfers }) => transfers[0]?.nft_info?.flags?.is_spam)).toEqual([
      false,
      true,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(page[3]?.transfers[0]?.isUnlisted).toBe(true)
    expect(page[5]?.transfers[0]?.isUnlisted).toBeUndefined()
  })
})

test('a user operation counts as a transaction of its smart account, and its failure is shown', async () => {
  const account = '0x00000000000000000000000000000000005afe01'
  const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
  await test_().setCode({ address: entryPoint, bytecode: emitterCode(4, '0x') })
  const topic = toEventSelector('UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)')
  const operation = (success: boolean) =>
    concat([
      topic,
      pad('0x1'),
      pad(account),
      pad(zero),
      pad('0x0'),
      pad(success ? '0x1' : '0x0'),
      pad('0x9'),
      pad('0x9'),
    ])
  for (const success of [true, false])
    await mined(wallet(mallory).sendTransaction({ to: entryPoint, data: operation(success), gas: 200_000n }))
  // No trace or transfer on the node contains the account, so only an indexer can find its transactions.
  const hashes: Hex[] = []
  const head = await test_().getBlockNumber()
  for (const blockNumber of [head, head - 1n]) hashes.push(...(await test_().getBlock({ blockNumber })).transactions)
  const explorer = await startFaultServer((request) => {
    const isList = new URL(request.url).searchParams.get('action') === 'txlist'
    const result = hashes.map((hash, at) => ({ hash, blockNumber: Number(head) - at, transactionIndex: 0 }))
    return Response.json({
      status: isList ? '1' : '0',
      message: isList ? 'OK' : 'No transactions found',
      result: isList ? result : [],
    })
  })
  const page = await first(readerOf(chainWith(anvil.url, { history: { url: explorer.url } })), account)
  expect(page.map(summary)).toEqual(['execute, failed, out 0 ETH', 'execute, confirmed, out 0 ETH'])
  await explorer.stop()
})

describe('pages', () => {
  const address = '0x00000000000000000000000000000000000abcde'

  async function allPages(reader: HistoryReader, betweenPages = async () => {}) {
    const pages: (readonly HistoryTransaction[])[] = []
    for (let cursor: string | undefined; ; ) {
      const { data, next } = await reader.history(address, { ...query, cursor }, signal)
      pages.push(data)
      if (next === null) return pages
      cursor = next
      await betweenPages()
    }
  }

  beforeAll(async () => {
    const sender = wallet(alice)
    const client = test_()
    await client.setAutomine(false)
    let nonce = await client.getTransactionCount({ address: alice.address })
    // Blocks with many transactions are divided between pages.
    for (const count of [40, 30, 1, 35, 20]) {
      for (let at = 0; at < count; at++) {
        const call =
          at % 2 === 0
            ? sender.sendTransaction({ to: address, value: BigInt(nonce + 1), nonce, gas: 21_000n })
            : sender.writeContract({
                address: token.address,
                abi: erc20Abi,
                functionName: 'transfer',
                args: [address, BigInt(nonce + 1)],
                nonce,
                gas: 100_000n,
              })
        await call
        nonce += 1
      }
      await client.mine({ blocks: 1 })
    }
    await client.setAutomine(true)
  })

  const hashes = (pages: readonly (readonly HistoryTransaction[])[]) =>
    pages.flat().map(({ metadata }) => metadata.hash)

  test('pages of 50 have neither duplicates nor gaps while new blocks arrive', async () => {
    const pages = await allPages(readerOf(chainWith(anvil.url)), async () => {
      await mined(wallet(bob).sendTransaction({ to: address, value: 1n }))
    })
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 26])
    expect(new Set(hashes(pages)).size).toBe(126)
    const times = pages.flat().map(({ metadata }) => metadata.minedAt)
    expect(times).toEqual([...times].sort().reverse())
  })

  test('if a node only searches logs in small ranges, all token transfers are found, and the page is marked as partial', async () => {
    await test_().mine({ blocks: 1_500 })
    const node = await limitedNode(({ method, params }) => {
      if (method.startsWith('ots_')) return 'the method does not exist'
      const [range] = params as { fromBlock: Hex; toBlock: Hex }[]
      const isLong = method === 'eth_getLogs' && Number(range?.toBlock) - Number(range?.fromBlock) >= 500
      return isLong ? 'query exceeds max block range 500' : undefined
    })
    const reader = readerOf(chainWith(node.url))
    const pages = await allPages(reader)
    expect(pages.flat()).toHaveLength(62)
    expect(new Set(hashes(pages)).size).toBe(62)
    expect(pages.flat().every(({ transfers }) => transfers[0]?.fungible_info?.symbol === 'TUSD')).toBe(true)
    expect(await reader.history(address, query, signal)).toMatchObject({ isPartial: true })
    await node.stop()
  })

  test.each([
    ['text', 'not a cursor'],
    ['other JSON', Buffer.from('{"page":2}').toString('base64url')],
    [
      'a number that is too large',
      Buffer.from(JSON.stringify({ chainId, account: address, block: 1e300, index: 0 })).toString('base64url'),
    ],
  ])('a cursor that consists of %s is rejected with 400', async (_, cursor) => {
    const reading = readerOf(chainWith(anvil.url)).history(address, { ...query, cursor }, signal)
    await expect(reading).rejects.toMatchObject({ status: 400, field: 'cursor' })
  })

  test('a cursor for another account is rejected with 400', async () => {
    const reader = readerOf(chainWith(anvil.url))
    const { next } = await reader.history(address, query, signal)
    const reading = reader.history(bob.address, { ...query, cursor: next ?? '' }, signal)
    await expect(reading).rejects.toMatchObject({ status: 400, field: 'cursor' })
  })
})

describe('request parameters', () => {
  test.each([
    ['a malformed address', 'alice', {}, 'address'],
    ['a Solana address on an EVM chain', '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv', {}, 'address'],
    ['a chain without a node', alice.address, { chainId: 'eip155:999' }, 'chainId'],
    ['the default chain without a node', alice.address, { chainId: undefined }, 'chainId'],
    ['purchases of another provider', alice.address, { onramp: 'meld' }, 'onramp'],
    [
      'purchases on Solana',
      '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv',
      { onramp: 'coinbase', chainId: 'solana:1' },
      'chainId',
    ],
  ])('%s is rejected with 400', async (_, address, more, field) => {
    const reading = readerOf(chainWith(anvil.url)).history(address, { ...query, ...more }, signal)
    await expect(reading).rejects.toMatchObject({ status: 400, field })
  })

  test('without a provider, there are no purchases', async () => {
    const reading = readerOf(chainWith(anvil.url)).history(alice.address, { ...query, onramp: 'coinbase' }, signal)
    expect(await reading).toEqual({ data: [], next: null })
  })
})

describe('an indexer', () => {
  /** Lists the transactions of an account as Etherscan does, but no token transfers. */
  const indexer = () =>
    startFaultServer(async (request) => {
      const { searchParams } = new URL(request.url)
      const action = searchParams.get('action')
      if (action === 'token1155tx')
        return Response.json({ status: '0', message: 'NOTOK', result: 'Error! Missing Or invalid Action name' })
      if (action !== 'txlist') return Response.json({ status: '0', message: 'No transactions found', result: [] })
      const before = Number(searchParams.get('endblock')) + 1
      const { result } = await rpc('ots_searchTransactionsBefore', [searchParams.get('address'), before, 200])
      const rows = (result.txs as { hash: Hex; blockNumber: Hex; transactionIndex: Hex }[]).map((row) => ({
        hash: row.hash,
        blockNumber: String(Number(row.blockNumber)),
        transactionIndex: String(Number(row.transactionIndex)),
      }))
      return Response.json({ status: '1', message: 'OK', result: rows.slice(0, Number(searchParams.get('offset'))) })
    })

  test('finds the transactions to read, so native payments are included on a node that only searches logs', async () => {
    const [node, explorer] = [
      await limitedNode(({ method }) => (method.startsWith('ots_') ? 'no' : undefined)),
      await indexer(),
    ]
    const chain = chainWith(node.url, { history: { url: `${explorer.url}/api` } })
    const { data, isPartial } = await readerOf(chain).history(alice.address, query, signal)
    expect(isPartial).toBeUndefined()
    expect(data).toHaveLength(50)
    expect(data.some(({ transfers }) => transfers[0]?.fungible_info?.symbol === 'ETH')).toBe(true)
    await Promise.all([node.stop(), explorer.stop()])
  })

  test.each([
    { kind: 'down' },
    { kind: 'hang' },
    { kind: 'bad-json' },
    { kind: 'wrong-types' },
    { kind: 'huge', bytes: 20_000_000 },
    { kind: 'status', code: 502 },
  ] as const)('with the fault $kind is replaced by the node', async (fault) => {
    const explorer = await indexer()
    explorer.break(fault)
    const chain = chainWith(anvil.url, { history: { url: `${explorer.url}/api` } })
    expect((await first(readerOf(chain, { indexerTimeoutMs: 200 }), bob.address)).length).toBeGreaterThan(3)
    await explorer.stop()
  })
})

describe('faulty nodes', () => {
  test.each([
    { kind: 'down' },
    { kind: 'hang' },
    { kind: 'bad-json' },
    { kind: 'wrong-types' },
    { kind: 'huge', bytes: 20_000_000 },
    { kind: 'status', code: 500 },
  ] as const)('if the node has the fault $kind, reading fails with 503', async (fault) => {
    const node = await startFaultServer(() => new Response())
    node.break(fault)
    const reading = readerOf(chainWith(node.url), { timeoutMs: 200 }).history(alice.address, query, signal)
    await expect(reading).rejects.toMatchObject({ status: 503 })
    await node.stop()
  })

  test.each([
    [
      'claims blocks above the searched ones',
      'eth_getLogs',
      [{ transactionHash: `0x${'1'.repeat(64)}`, blockNumber: '0xfffffffff', transactionIndex: '0x0' }],
    ],
    [
      'returns a receipt of another transaction',
      'eth_getTransactionReceipt',
      { transactionHash: `0x${'1'.repeat(64)}`, status: '0x1', logs: [] },
    ],
    ['returns another block', 'eth_getBlockByNumber', { number: '0x1', timestamp: '0x1' }],
    ['returns a time that no date has', 'eth_getBlockByNumber', { number: '0x2', timestamp: '0xfffffffffffff' }],
    ['rejects every receipt', 'eth_getTransactionReceipt', undefined],
  ])('if the node %s, reading fails with 503', async (_, method, result) => {
    const node = await startFaultServer(async (request) => {
      const body = (await request.json()) as never
      const calls = (Array.isArray(body) ? body : [body]) as { id: number; method: string }[]
      const answers = await Promise.all(
        calls.map(async (call) => {
          const base = { jsonrpc: '2.0', id: call.id }
          if (call.method === method)
            return result === undefined ? { ...base, error: { code: -32000, message: 'pruned' } } : { ...base, result }
          const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) }
          return (await fetch(anvil.url, init)).json()
        }),
      )
      return Response.json(Array.isArray(body) ? answers : answers[0])
    })
    const reading = readerOf(chainWith(node.url)).history(alice.address, query, signal)
    await expect(reading).rejects.toMatchObject({ status: 503 })
    await node.stop()
  })

  test('a node that does not accept batches receives one call at a time', async () => {
    const node = await startFaultServer(async (request) => {
      const body = await request.text()
      if (body.startsWith('['))
        return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } })
      return fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    })
    expect(await first(readerOf(chainWith(node.url)), bob.address)).toEqual(
      await first(readerOf(chainWith(anvil.url)), bob.address),
    )
    await node.stop()
  })
})
