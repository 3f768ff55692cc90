import { startFaultServer } from '@latchkey/testing/node'
import { afterEach, expect, test } from 'vitest'
import { createMetrics } from '../../monitoring/metrics.ts'
import { createUpstreams } from '../../rpcProxy/upstreamNodes.ts'
import type { ChainConfig } from '../chainConfig.ts'
import { createNodeBatch } from '../nodeBatch.ts'
import { createHistoryReader } from './historyReader.ts'

// The responses have the form of Solana's RPC API (https://solana.com/docs/rpc/http/gettransaction).

const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const signal = new AbortController().signal
const alice = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
const bob = 'DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK'
const aliceUsdc = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const bobUsdc = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const junk = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'
const wrappedSol = 'So11111111111111111111111111111111111111112'
const program = '11111111111111111111111111111111'

interface Account {
  readonly key: string
  readonly pre: number
  readonly post: number
  /** The mint, the owner, and the amounts before and after. `undefined` if the token account did not exist. */
  readonly token?: readonly [mint: string, owner: string, pre: number | undefined, post: number | undefined]
}

interface Recorded {
  readonly slot: number
  readonly signature: string
  readonly fee: number
  readonly err?: unknown
  readonly accounts: readonly Account[]
}

/** Returns a signature. As on a real chain, sorting signatures does not sort the transactions. */
const signatureOf = (id: number) => `${id}`.padStart(5, '1').replaceAll('0', 'z').padEnd(88, '9')

const recorded = (slot: number, accounts: readonly Account[], more: Partial<Recorded> = {}): Recorded => ({
  slot,
  signature: signatureOf(slot),
  fee: 5000,
  accounts,
  ...more,
})

function details({ slot, fee, err = null, accounts }: Recorded) {
  const balances = (at: 2 | 3) =>
    accounts.flatMap(({ token }, accountIndex) => {
      const amount = token?.[at]
      if (!token || amount === undefined) return []
      const decimals = token[0] === usdc ? 6 : token[0] === wrappedSol ? 9 : 0
      return [
        {
          accountIndex,
          mint: token[0],
          owner: token[1],
          uiTokenAmount: { amount: String(amount), decimals, uiAmount: 1 },
        },
      ]
    })
  return {
    slot,
    blockTime: 1_700_000_000 + slot,
    meta: {
      err,
      fee,
      preBalances: accounts.map(({ pre }) => pre),
      postBalances: accounts.map(({ post }) => post),
      preTokenBalances: balances(2),
      postTokenBalances: balances(3),
    },
    transaction: {
      message: { accountKeys: accounts.map(({ key }, at) => ({ pubkey: key, signer: at === 0, writable: true })) },
    },
  }
}

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Starts a node with transactions, newest first, and returns a reader of it. */
async function chainOf(transactions: readonly Recorded[], tokenAccounts: readonly string[] = []) {
  const methods: Record<string, (params: never[]) => unknown> = {
    getTokenAccountsByOwner: ([, { programId }]: [string, { programId: string }]) => ({
      context: { slot: 1 },
      value: programId.startsWith('TokenkegQ') ? tokenAccounts.map((pubkey) => ({ pubkey, account: {} })) : [],
    }),
    getSignaturesForAddress: ([address, { limit = 1000, before }]: [string, { limit?: number; before?: string }]) => {
      const start = before === undefined ? 0 : transactions.findIndex(({ signature }) => signature === before) + 1
      return transactions
        .slice(start)
        .filter(({ accounts }) => accounts.some(({ key }) => key === address))
        .slice(0, limit)
        .map(({ signature, slot, err = null }) => ({ signature, slot, err, memo: null, blockTime: 1 }))
    },
    getTransaction: ([signature]: [string]) => {
      const found = transactions.find((transaction) => transaction.signature === signature)
      return found ? details(found) : null
    },
  } as never
  const server = await startFaultServer(async (request) => {
    const body = (await request.json()) as never
    const calls = (Array.isArray(body) ? body : [body]) as { id: number; method: string; params: never[] }[]
    const answers = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, result: methods[method]?.(params) }))
    return Response.json(Array.isArray(body) ? answers : answers[0])
  })
  stops.push(() => server.stop())
  const chain: ChainConfig = {
    chainId,
    name: 'Solana',
    nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
    testnet: false,
    rpcUrls: [server.url],
    tokens: [{ address: usdc, name: 'USD Coin', symbol: 'USDC', decimals: 6, logoUri: 'https://img.example/usdc.png' }],
  }
  const send = createUpstreams({
    upstreams: new Map([[chainId, chain.rpcUrls]]),
    limits: { timeoutMs: 500, responseBytes: 1_000_000 },
    fetch,
    metrics: createMetrics(),
    log: () => {},
    clock: () => performance.now(),
  })
  const reader = createHistoryReader({
    chains: new Map([[chainId, chain]]),
    callNode: createNodeBatch(send),
    fetch,
    clock: () => performance.now(),
    log: () => {},
  })
  const read = (cursor?: string, address = alice) =>
    reader.history(address, { chainId, currency: 'usd', cursor }, signal)
  return { read, server, transactions: transactions as Recorded[] }
}

const summary = ({
  metadata,
  transfers,
}: Awaited<ReturnType<Awaited<ReturnType<typeof chainOf>>['read']>>['data'][number]) =>
  [
    metadata.operationType,
    metadata.status,
    ...transfers.map(
      ({ direction, quantity, fungible_info, nft_info, isSpam }) =>
        `${direction} ${quantity.numeric} ${nft_info ? 'NFT' : fungible_info?.symbol}${isSpam ? ' spam' : ''}`,
    ),
    `${metadata.sentFrom.slice(0, 3)}>${metadata.sentTo.slice(0, 3)}`,
  ].join(', ')

test('transfers are the differences between the balances, without fees and rent', async () => {
  const { read } = await chainOf(
    [
      recorded(19, [
        { key: alice, pre: 10_000, post: 5_000 },
        { key: program, pre: 1, post: 1 },
      ]),
      recorded(
        18,
        [
          { key: alice, pre: 1_000_000, post: 995_000 },
          { key: program, pre: 1, post: 1 },
        ],
        { err: { InstructionError: [0, 'x'] } },
      ),
      recorded(17, [
        { key: alice, pre: 3_000_000_000, post: 2_999_995_000 },
        { key: aliceUsdc, pre: 2_039_280, post: 2_039_280, token: [usdc, alice, 9_000_000, 4_000_000] },
        { key: bobUsdc, pre: 2_039_280, post: 2_039_280, token: [usdc, bob, 0, 5_000_000] },
      ]),
      // Buys USDC for SOL through a wrapped SOL account, and pays the rent of its new token account.
      recorded(16, [
        { key: alice, pre: 5_000_000_000, post: 3_997_955_720 },
        { key: aliceUsdc, pre: 0, post: 2_039_280, token: [usdc, alice, undefined, 150_000_000] },
        { key: bob, pre: 1, post: 1_000_000_001, token: [wrappedSol, bob, 0, 1_000_000_000] },
      ]),
      recorded(15, [
        { key: bob, pre: 5_000_000_000, post: 3_499_995_000 },
        { key: alice, pre: 0, post: 1_500_000_000 },
      ]),
      recorded(14, [
        { key: alice, pre: 2_000_005_000, post: 1_000_000_000 },
        { key: bob, pre: 0, post: 1_000_000_000 },
      ]),
    ],
    [aliceUsdc],
  )
  const { data, next } = await read()
  expect(data.map(summary)).toEqual([
    'execute, confirmed, out 0 SOL, 7S3>',
    'execute, failed, out 0 SOL, 7S3>',
    'send, confirmed, out 5 USDC, 7S3>DYw',
    'trade, confirmed, out 1 SOL, in 150 USDC, 7S3>',
    'receive, confirmed, in 1.5 SOL, DYw>7S3',
    'send, confirmed, out 1 SOL, 7S3>DYw',
  ])
  expect(next).toBeNull()
  expect(data[2]).toMatchObject({
    id: `${chainId}:${signatureOf(17)}`,
    metadata: { hash: signatureOf(17), chain: chainId, minedAt: new Date(1_700_000_017_000).toISOString() },
    transfers: [{ fungible_info: { name: 'USD Coin', icon: { url: 'https://img.example/usdc.png' } }, value: null }],
  })
})

test('transfers to a token account are found, although they do not contain its owner', async () => {
  const { read } = await chainOf(
    [
      recorded(5, [
        { key: bob, pre: 10_000, post: 5_000 },
        { key: bobUsdc, pre: 1, post: 1, token: [usdc, bob, 7_000_000, 0] },
        { key: aliceUsdc, pre: 1, post: 1, token: [usdc, alice, 0, 7_000_000] },
      ]),
    ],
    [aliceUsdc],
  )
  expect((await read()).data.map(summary)).toEqual(['receive, confirmed, in 7 USDC, DYw>7S3'])
})

test('unlisted tokens and dust from others are spam', async () => {
  const { read } = await chainOf([
    recorded(3, [
      { key: bob, pre: 10_000, post: 5_000 },
      { key: alice, pre: 1, post: 1 },
      { key: aliceUsdc, pre: 1, post: 1, token: [junk, alice, undefined, 1] },
    ]),
    recorded(2, [
      { key: bob, pre: 10_000, post: 5_000 },
      { key: alice, pre: 1, post: 1 },
      { key: aliceUsdc, pre: 1, post: 1, token: [junk, alice, undefined, 50_000] },
    ]),
    recorded(1, [
      { key: bob, pre: 20_000, post: 14_999 },
      { key: alice, pre: 1, post: 2 },
    ]),
  ])
  const { data } = await read()
  expect(data.map(summary)).toEqual([
    'execute, confirmed, in 1 NFT spam, DYw>',
    'execute, confirmed, in 50000 undefined spam, DYw>',
    'execute, confirmed, in 0.000000001 SOL spam, DYw>',
  ])
  expect(data[0]?.transfers[0]?.nft_info?.flags?.is_spam).toBe(true)
  expect(data[1]?.transfers[0]).toMatchObject({ isUnlisted: true, token: `${chainId}:${junk}` })
})

test('pages have neither duplicates nor gaps, even if a slot has several transactions and new transactions arrive', async () => {
  // Each slot has three transactions. Every second transaction only contains the token account.
  const transactions = Array.from({ length: 90 }, (_, at) => {
    const id = 1_000 - at
    const account = at % 2 === 0 ? alice : aliceUsdc
    const accounts = [
      { key: bob, pre: 10_000, post: 5_000 },
      {
        key: account,
        pre: 0,
        post: 1_000_000,
        ...(account === aliceUsdc ? { token: [usdc, alice, 0, 5] as const } : {}),
      },
    ]
    return recorded(Math.ceil(id / 3), accounts, { signature: signatureOf(id) })
  })
  const chain = await chainOf(transactions, [aliceUsdc])
  const hashes: string[] = []
  const sizes: number[] = []
  for (let cursor: string | undefined; ; ) {
    const { data, next } = await chain.read(cursor)
    sizes.push(data.length)
    hashes.push(...data.map(({ metadata }) => metadata.hash))
    if (next === null) break
    cursor = next
    chain.transactions.unshift(
      recorded(9_000 + sizes.length, [{ key: alice, pre: 10_000, post: 5_000 }], {
        signature: signatureOf(5_000 + sizes.length),
      }),
    )
  }
  expect(hashes.length).toBe(90)
  expect(new Set(hashes).size).toBe(90)
  expect(sizes.length).toBe(4)
})

test('an account without transactions has an empty page', async () => {
  const { read } = await chainOf([])
  expect(await read()).toEqual({ data: [], next: null })
})

test.each([
  ['an EVM address', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
  ['an address that is too short', '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAa'],
])('%s is rejected with 400', async (_, address) => {
  const { read } = await chainOf([])
  await expect(read(undefined, address)).rejects.toMatchObject({ status: 400, field: 'address' })
})

test.each([
  { kind: 'down' },
  { kind: 'hang' },
  { kind: 'bad-json' },
  { kind: 'wrong-types' },
  { kind: 'huge', bytes: 20_000_000 },
  { kind: 'status', code: 500 },
] as const)('if the node has the fault $kind, reading fails with 503', async (fault) => {
  const { read, server } = await chainOf([])
  server.break(fault)
  await expect(read()).rejects.toMatchObject({ status: 503 })
})
