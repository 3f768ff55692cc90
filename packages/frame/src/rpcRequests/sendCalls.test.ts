import { expect, test } from 'vitest'
import type { FrameContext } from '../frameContext.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { callsStatus, sendCalls } from './sendCalls.ts'

const key = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const friend = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const call = { to: friend, value: '0x1' }

/** Requests calls on a network without a bundler. Returns `prompted` if the user must approve separate transactions. */
async function outcome(batch: object): Promise<string> {
  const context = {
    config: async () => ({ bundlers: [], paymasters: [] }),
    batches: new Map(),
    approvals: { ask: () => Promise.reject(new Error('prompted')) },
  } as unknown as FrameContext
  const open = { addresses: { eip155: key } } as unknown as OpenedWallet
  const request = { id: '1', origin: 'https://shop.example', chain: 'eip155:1', method: 'wallet_sendCalls' } as const
  const params = [{ from: key, calls: [call], ...batch }]
  return sendCalls(context, open, { ...request, params }).then(String, (error: Error) => error.message)
}

test('calls with a required capability that is not supported are rejected, and an optional one is ignored', async () => {
  expect(await outcome({ capabilities: { flowControl: {} } })).toBe(
    'This wallet does not support the capability flowControl',
  )
  expect(await outcome({ capabilities: { flowControl: { optional: false } } })).toContain('flowControl')
  expect(await outcome({ capabilities: { flowControl: { optional: true } } })).toBe('prompted')
  expect(await outcome({ capabilities: { permissions: {} } })).toBe('prompted')
  expect(await outcome({ capabilities: { paymasterService: { url: 'https://pay.example' } } })).toBe(
    'Paymasters are not supported on this network',
  )
})

test('an account that supports atomic calls is only required if there are several calls and they must be atomic', async () => {
  const atomicRequired = true
  expect(await outcome({ atomicRequired, calls: [call, call] })).toBe('This account does not support atomic calls')
  expect(await outcome({ atomicRequired, calls: [call] })).toBe('prompted')
  expect(await outcome({ atomicRequired: false, calls: [call, call] })).toBe('prompted')
  expect(await outcome({ calls: [call, call] })).toBe('prompted')
})

test.each([
  ['pending while a transaction has no receipt', ['0x1', undefined], 100],
  ['confirmed if all transactions succeeded', ['0x1', '0x1'], 200],
  ['reverted if all transactions failed', ['0x0', '0x0'], 500],
  ['partially reverted if some transactions failed', ['0x1', '0x0'], 600],
])('the status of separate transactions is %s', async (_, statuses, status) => {
  const receipts = new Map(statuses.map((status, at) => [`0x${at}`, status === undefined ? null : { status }]))
  const context = {
    batches: new Map([['batch-1', { chain: 'eip155:137', hashes: [...receipts.keys()] }]]),
    rpc: async (chain: string, method: string, [hash]: readonly [string]) =>
      `${chain} ${method}` === 'eip155:137 eth_getTransactionReceipt' ? receipts.get(hash) : undefined,
  } as unknown as FrameContext
  // The status can be requested while a different network is active.
  const request = {
    id: '1',
    origin: 'https://shop.example',
    chain: 'eip155:1',
    method: 'wallet_getCallsStatus',
  } as const
  expect(await callsStatus(context, { ...request, params: ['batch-1'] })).toEqual({
    version: '2.0.0',
    id: 'batch-1',
    chainId: '0x89',
    status,
    atomic: false,
    receipts: [...receipts.values()].filter((receipt) => receipt !== null),
  })
  for (const params of [['batch-2'], undefined])
    await expect(callsStatus(context, { ...request, params })).rejects.toThrow('Unknown calls')
})
