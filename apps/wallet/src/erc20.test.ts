import { encodeFunctionData, encodeFunctionResult, erc20Abi, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { readTokenCall, tokenNames, unlimitedAllowance } from './erc20.ts'
import type { Ask, Network } from './networks.ts'

const local: Network = {
  id: 'eip155:31337',
  name: 'Local',
  rpcUrl: 'http://127.0.0.1:1',
  currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
}
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('decodes a token transfer', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [bob, 2_900_000n] })
  expect(readTokenCall(data)).toEqual({ does: 'send', who: bob, amount: 2_900_000n })
})

test('decodes a token approval', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [bob, maxUint256] })
  const call = readTokenCall(data)
  expect(call).toEqual({ does: 'allow', who: bob, amount: maxUint256 })
  expect((call?.amount ?? 0n) >= unlimitedAllowance).toBe(true)
})

test('ignores any other call and malformed calldata', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [bob, 1n] })
  const from = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [bob, bob, 1n] })
  for (const odd of [undefined, '0x', `${data}00`, data.slice(0, -2), data.replace('a9059cbb', 'a9059cbc'), from])
    expect(readTokenCall(odd as `0x${string}` | undefined)).toBeUndefined()
})

test('tokenNames() resolves to undefined if the contract cannot be read', async () => {
  const names = tokenNames(bob, { network: local, ask: () => Promise.reject(new Error('Nobody is there')) })
  expect(await names).toBeUndefined()
})

test('sanitizes and truncates the token symbol', async () => {
  const abi = erc20Abi
  const answers: Record<string, `0x${string}`> = {
    [encodeFunctionData({ abi, functionName: 'symbol' })]: encodeFunctionResult({
      abi,
      functionName: 'symbol',
      result: 'US\u202eD C to the moon and back',
    }),
    [encodeFunctionData({ abi, functionName: 'decimals' })]: encodeFunctionResult({
      abi,
      functionName: 'decimals',
      result: 6,
    }),
  }
  const ask: Ask = async (_, __, params) => answers[(params as readonly [{ data: string }])[0].data]
  expect(await tokenNames(bob, { network: local, ask })).toEqual({ symbol: 'USDCtothemoo', decimals: 6 })
})
