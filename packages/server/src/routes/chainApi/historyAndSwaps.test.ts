import { nativeTokenAddress } from '@latchkey/protocol/http/chainApi'
import { testAccounts } from '@latchkey/testing'
import { type Anvil, deployExchange, startAnvil, type TestExchange } from '@latchkey/testing/node'
import { createWalletClient, formatUnits, type Hex, http, parseEther, parseUnits, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainApiFromConfig } from '../../chainApi/chainApiFromConfig.ts'
import type { ChainConfig } from '../../chainApi/chainConfig.ts'
import type { Server } from '../../http/routeList.ts'
import { inMemoryDependencies } from '../../inMemoryDependencies.ts'
import { createUpstreams } from '../../rpcProxy/upstreamNodes.ts'
import { createTestServer } from '../../testing/declaredErrors.ts'

// Swaps over HTTP as a client of the specification does, and reads the resulting history.

const chainId = 'eip155:31337'
const alice = privateKeyToAccount(testAccounts[0].privateKey)
const native = `${chainId}:${nativeTokenAddress}`
const user = `${chainId}:${alice.address}`

let anvil: Anvil
let exchange: TestExchange
let server: Server

beforeAll(async () => {
  anvil = await startAnvil()
  exchange = await deployExchange({ chain: anvil.chain })
  const chain: ChainConfig = {
    chainId,
    name: 'Anvil',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    testnet: true,
    rpcUrls: [anvil.url],
    tokens: exchange.tokenList.tokens,
    exchange: exchange.contracts,
  }
  const dependencies = inMemoryDependencies()
  const send = createUpstreams({
    ...dependencies,
    upstreams: new Map([[chainId, chain.rpcUrls]]),
    limits: { timeoutMs: 5_000, responseBytes: 10_000_000 },
    fetch,
  })
  const chains = new Map([[chainId, chain]])
  const { log, clock } = dependencies
  const config = { pricesUrl: undefined, ipfsGateway: undefined }
  const chainApi = chainApiFromConfig({ config, chains, send, names: undefined, log, clock, now: Date.now })
  server = createTestServer({ ...dependencies, chainApi })
})
afterAll(() => anvil.stop())

async function ask(path: string, query: Record<string, string>, body?: object) {
  const url = new URL(`http://connect.shop.example/v1/${path}`)
  // Clients add these to each request.
  for (const [name, value] of Object.entries({
    projectId: 'shop',
    st: 'latchkey',
    sv: 'react-1.0.0',
    clientId: 'did:key:z6Mk',
    ...query,
  }))
    url.searchParams.set(name, value)
  const init = body ? { method: 'POST', headers: { 'content-type': 'text/plain' }, body: JSON.stringify(body) } : {}
  const response = await server(new Request(url, init))
  return { status: response.status, json: (await response.json()) as never }
}

const plain = (caip10: string) => caip10.slice(caip10.lastIndexOf(':') + 1) as Hex

async function submit(tx: { to: Hex; data: Hex; value: bigint; gas?: bigint; gasPrice: bigint }) {
  const wallet = createWalletClient({ account: alice, chain: anvil.chain, transport: http() }).extend(publicActions)
  const receipt = await wallet.waitForTransactionReceipt({
    hash: await wallet.sendTransaction(tx),
    pollingInterval: 10,
  })
  expect(receipt.status).toBe('success')
}

async function swap(from: string, to: string, amount: bigint) {
  const allowance = await ask('convert/allowance', { tokenAddress: from, userAddress: user })
  if (BigInt((allowance.json as { allowance: string }).allowance) < amount) {
    const { json } = await ask('convert/build-approve', { from, to, userAddress: user, amount: String(amount) })
    const { tx } = json as { tx: { from: string; data: Hex; value: string; eip155: { gasPrice: string } } }
    await submit({
      to: plain(tx.from),
      data: tx.data,
      value: BigInt(tx.value),
      gasPrice: BigInt(tx.eip155.gasPrice),
    })
  }
  const body = {
    projectId: 'shop',
    amount: String(amount),
    from,
    to,
    userAddress: user,
    eip155: { slippage: 1 },
    disableEstimate: true,
  }
  const { json } = await ask('convert/build-transaction', {}, body)
  const { tx } = json as { tx: { to: string; data: Hex; eip155: { gas: string; gasPrice: string } } }
  await submit({
    to: plain(tx.to),
    data: tx.data,
    value: from === native ? amount : 0n,
    gas: BigInt(tx.eip155.gas),
    gasPrice: BigInt(tx.eip155.gasPrice),
  })
}

test('a client swaps in both directions, and the history shows what it approved and traded', async () => {
  const usdc = `${chainId}:${exchange.tokens.usdc.address}`
  const { json: listed } = await ask('convert/tokens', { chainId })
  expect((listed as { tokens: { address: string }[] }).tokens.map(({ address }) => address)).toContain(usdc)
  const { json: prices } = await ask('convert/gas-price', { chainId })
  expect(BigInt((prices as { standard: string }).standard)).toBeGreaterThan(0n)
  const quotes = async (from: string, to: string, amount: bigint) => {
    const { json } = await ask('convert/quotes', { amount: String(amount), from, to, userAddress: user, gasPrice: '1' })
    return BigInt((json as { quotes: [{ toAmount: string }] }).quotes[0].toAmount)
  }
  const dollars = await quotes(native, usdc, parseEther('1'))
  await swap(native, usdc, parseEther('1'))
  const ether = await quotes(usdc, native, parseUnits('1000', 6))
  await swap(usdc, native, parseUnits('1000', 6))

  const { status, json } = await ask(`account/${alice.address}/history`, { chainId })
  expect(status).toBe(200)
  const { data, next } = json as {
    data: {
      metadata: { operationType: string; chain: string }
      transfers: { direction: string; quantity: { numeric: string } }[]
    }[]
    next: string | null
  }
  const last = data.slice(0, 3).map(({ metadata, transfers }) => ({
    type: metadata.operationType,
    moved: transfers.map(({ direction, quantity }) => `${direction} ${quantity.numeric}`),
  }))
  expect(last).toEqual([
    { type: 'trade', moved: [`in ${formatUnits(ether, 18)}`, 'out 1000'] },
    { type: 'approve', moved: ['out 0'] },
    { type: 'trade', moved: ['out 1', `in ${formatUnits(dollars, 6)}`] },
  ])
  expect(data.every(({ metadata }) => metadata.chain === chainId)).toBe(true)
  expect(next).toBeNull()
})

test('an error response contains the reason, by which clients recognize insufficient liquidity', async () => {
  const to = `${chainId}:${exchange.tokens.unpriced.address}`
  const { status, json } = await ask('convert/quotes', { amount: '1000000', from: native, to })
  expect(status).toBe(400)
  expect(json).toEqual({
    status: 'FAILED',
    reasons: [{ field: 'amount', description: expect.stringContaining('insufficient liquidity') }],
  })
})

test.each([
  ['an account that is not one', 'account/alice/history', { chainId }],
  ['a cursor that is not one', `account/${alice.address}/history`, { chainId, cursor: '2' }],
  ['purchases of another provider', `account/${alice.address}/history`, { chainId, onramp: 'meld' }],
  ['tokens of another chain', 'convert/tokens', { chainId: 'eip155:999' }],
  ['an amount that is not whole', 'convert/quotes', { amount: '1.5', from: native, to: native }],
])('%s is rejected with 400', async (_, path, query) => {
  expect((await ask(path, query as never)).status).toBe(400)
})
