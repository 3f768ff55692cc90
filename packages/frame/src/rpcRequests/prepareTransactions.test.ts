import { expect, test } from 'vitest'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { prepareTransactions } from './prepareTransactions.ts'

const from = '0x1111111111111111111111111111111111111111'
const calls = [{ to: '0x2222222222222222222222222222222222222222', value: 1n, data: '0x' }] as const

/** A node on which the account has executed 5 transactions and has 3 pending ones. Gas costs at most 16 + 2 wei per unit. */
const rpc = (async (_chain: string, method: string, params: readonly unknown[]) => {
  const results: Record<string, unknown> = {
    eth_getTransactionCount: params[1] === 'latest' ? '0x5' : '0x8',
    eth_getBalance: '0xffffffff',
    eth_estimateGas: '0x5208',
    eth_getBlockByNumber: { baseFeePerGas: '0xa' },
    eth_maxPriorityFeePerGas: '0x2',
  }
  if (!(method in results)) throw new Error(`${method} is not supported`)
  return results[method]
}) as unknown as ChainRpcClient

const prepare = (replaced?: { nonce: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }) =>
  prepareTransactions(rpc, { chain: 'eip155:137', from, calls, replaced })

test('without a nonce, the transaction gets the next nonce and the network’s fees', async () => {
  const prepared = await prepare()
  expect(prepared).toMatchObject({ nonce: 8, maxFeePerGas: 18n, maxPriorityFeePerGas: 2n })
  expect(prepared.replaces).toBeUndefined()
})

test('a transaction with a pending nonce is a replacement, with at least the requested and the network’s fees', async () => {
  expect(await prepare({ nonce: 6n, maxFeePerGas: 40n, maxPriorityFeePerGas: 3n })).toMatchObject({
    nonce: 6,
    maxFeePerGas: 40n,
    maxPriorityFeePerGas: 3n,
    fee: 21_000n * 40n,
    replaces: true,
  })
  expect(await prepare({ nonce: 7n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })).toMatchObject({
    nonce: 7,
    maxFeePerGas: 18n,
    maxPriorityFeePerGas: 2n,
  })
})

test('a nonce is rejected if it would leave a gap after the pending transactions', async () => {
  await expect(prepare({ nonce: 9n, maxFeePerGas: 40n, maxPriorityFeePerGas: 3n })).rejects.toThrow('is missing')
  expect(await prepare({ nonce: 8n, maxFeePerGas: 40n, maxPriorityFeePerGas: 3n })).toMatchObject({ nonce: 8 })
})

test('a transaction that has already been executed cannot be replaced', async () => {
  await expect(prepare({ nonce: 4n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n })).rejects.toThrow(
    'already been executed',
  )
})

test('a page cannot waste funds by requesting a fee far above the network’s', async () => {
  await expect(prepare({ nonce: 6n, maxFeePerGas: 181n, maxPriorityFeePerGas: 1n })).rejects.toThrow('much higher')
  await expect(prepare({ nonce: 6n, maxFeePerGas: 1n, maxPriorityFeePerGas: 181n })).rejects.toThrow('much higher')
})
