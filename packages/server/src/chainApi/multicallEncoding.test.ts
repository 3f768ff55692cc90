import { encodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem'
import { expect, test } from 'vitest'
import { decodeAggregate, encodeAggregate } from './multicallEncoding.ts'

const functionName = 'aggregate3'
const address = (at: number): Hex => `0x${at.toString(16).padStart(40, '0')}`
const returned: readonly (Hex | undefined)[] = [
  '0x',
  '0x12',
  `0x${'ab'.repeat(32)}`,
  undefined,
  `0x${'cd'.repeat(100)}`,
]

test.each([0, 1, 2, 5, 200])('encodeAggregate encodes %i calls as viem does', (count) => {
  const datas: readonly Hex[] = ['0x', '0x70a08231', `0x70a08231${'0'.repeat(64)}`, `0x${'12'.repeat(64)}`, '0xff']
  const calls = Array.from({ length: count }, (_, at) => ({ to: address(at + 1), data: datas[at % 5] ?? '0x' }))
  const args = [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))] as const
  expect(encodeAggregate(calls)).toBe(encodeFunctionData({ abi: multicall3Abi, functionName, args }))
})

test('decodeAggregate returns the result of each call, and undefined for each call that failed', () => {
  const result = returned.map((data) => ({ success: data !== undefined, returnData: data ?? '0xdead' }))
  const data = encodeFunctionResult({ abi: multicall3Abi, functionName, result })
  expect(decodeAggregate(data, returned.length)).toEqual(returned)
  expect(decodeAggregate(data, returned.length + 1)).toBeUndefined()
})

test('decodeAggregate never reads beyond the data, even if it is truncated or contains wrong offsets and lengths', () => {
  const result = returned.map((data) => ({ success: data !== undefined, returnData: data ?? '0x' }))
  const data = encodeFunctionResult({ abi: multicall3Abi, functionName, result })
  for (const text of ['0x', `0x${'0'.repeat(64)}`, `0x${'f'.repeat(640)}`, `0x${'0'.repeat(63)}2`])
    expect(decodeAggregate(text, 5)).toBeUndefined()
  for (let end = 2; end < data.length; end += 64) {
    const found = decodeAggregate(data.slice(0, end), 5)
    if (found) expect(found).toEqual(returned)
  }
  for (let at = 2; at < data.length; at += 64) {
    const changed = data.slice(0, at) + 'f'.repeat(64) + data.slice(at + 64)
    for (const item of decodeAggregate(changed, 5) ?? []) expect(item?.length ?? 0).toBeLessThanOrEqual(data.length)
  }
})
