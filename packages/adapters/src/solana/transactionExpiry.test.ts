import { beforeEach, expect, test } from 'vitest'
import { solanaAdapter } from './solanaAdapter.ts'

const network = {
  id: 'local',
  name: 'Local',
  nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
  rpcUrls: { default: { http: ['https://node.example'] } },
  chainNamespace: 'solana' as const,
  caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' as const,
}
const hash = '5'.repeat(88)

let node: { slot: number; height: number; finalized: number; firstSlot: number; status: object | null }
beforeEach(() => {
  node = { slot: 2_000, height: 1_900, finalized: 1_870, firstSlot: 500, status: null }
})

const fetch: typeof globalThis.fetch = async (_, init) => {
  const { method, params } = JSON.parse(String(init?.body))
  const results: Record<string, unknown> = {
    getEpochInfo: {
      absoluteSlot: node.slot,
      blockHeight: params?.[0]?.commitment === 'finalized' ? node.finalized : node.height,
    },
    getFirstAvailableBlock: node.firstSlot,
    getSignatureStatuses: { context: { slot: node.slot }, value: [node.status] },
  }
  return Response.json({ jsonrpc: '2.0', id: 1, result: results[method] })
}

const common = { network, fetch, signal: new AbortController().signal }
const adapter = solanaAdapter({ networks: [network] })
const expiryOf = async () => {
  const expiry = await adapter.transactionExpiry?.(common)
  if (!expiry) throw new Error('Transactions on Solana expire.')
  return expiry
}
const status = (expiry?: { block: number; slot: number }) =>
  adapter.transactionStatus?.({ ...common, hash, ...(expiry && { expiry }) })

test('a transaction that the node does not know is dropped once the last block that can contain it is final', async () => {
  const expiry = await expiryOf()
  expect(expiry).toEqual({ block: 1_900 + 150, slot: 2_000 - 300 })
  expect(await status(expiry)).toBe('pending')
  node.height = 2_100
  node.finalized = 2_050
  expect(await status(expiry)).toBe('pending')
  node.finalized = 2_051
  expect(await status(expiry)).toBe('dropped')
  // Without an expiry, the transaction counts as pending.
  expect(await status()).toBe('pending')
})

test('a transaction in a block is not dropped, however old it is', async () => {
  const expiry = await expiryOf()
  node.finalized = 9_000
  node.status = { err: null, confirmationStatus: 'finalized' }
  expect(await status(expiry)).toBe('done')
  node.status = { err: { InstructionError: [0, 'Custom'] }, confirmationStatus: 'finalized' }
  expect(await status(expiry)).toBe('failed')
})

test('a transaction is not dropped if the node no longer has all blocks that could contain it', async () => {
  const expiry = await expiryOf()
  node.finalized = 9_000
  node.firstSlot = expiry.slot + 1
  expect(await status(expiry)).toBe('pending')
  node.firstSlot = expiry.slot
  expect(await status(expiry)).toBe('dropped')
})
