import { describe, expect, test } from 'vitest'
import { littleEndian } from './encodeTransaction.ts'
import { hasScaledAmounts, refusesTransfers, transferFeeOf } from './mintExtensions.ts'

const zeros = (length: number) => Array.from({ length }, () => 0)
const extension = (type: number, bytes: readonly number[]) => [
  ...littleEndian(BigInt(type), 2),
  ...littleEndian(BigInt(bytes.length), 2),
  ...bytes,
]
const mint = (...extensions: readonly (readonly number[])[]) =>
  Uint8Array.from([...zeros(165), 1, ...extensions.flat()])
const fee = ({ max, bps }: { max: bigint; bps: bigint }) => [
  ...zeros(8),
  ...littleEndian(max, 8),
  ...littleEndian(bps, 2),
]
const fees = (current: { max: bigint; bps: bigint }, next = current) =>
  mint(extension(3, zeros(32)), extension(1, [...zeros(72), ...fee(current), ...fee(next)]))

describe('transferFeeOf', () => {
  test('is a percentage of the amount, rounded up, and at most the maximum', () => {
    const token = fees({ max: 5_000n, bps: 100n })
    expect(transferFeeOf(token, 10_000n)).toBe(100n)
    expect(transferFeeOf(token, 10_001n)).toBe(101n)
    expect(transferFeeOf(token, 10_000_000n)).toBe(5_000n)
  })

  test('is the higher of the current and the next fee, because the transfer might be executed later', () => {
    expect(transferFeeOf(fees({ max: 5_000n, bps: 100n }, { max: 5_000n, bps: 200n }), 10_000n)).toBe(200n)
    expect(transferFeeOf(fees({ max: 5_000n, bps: 200n }, { max: 5_000n, bps: 0n }), 10_000n)).toBe(200n)
  })

  test('is zero for a plain token, and unknown for one whose extension is incomplete', () => {
    expect(transferFeeOf(Uint8Array.from(zeros(82)), 10_000n)).toBe(0n)
    expect(transferFeeOf(mint(extension(1, zeros(40))), 10_000n)).toBeUndefined()
  })
})

test('a token that cannot be transferred, or only through another program, refuses transfers', () => {
  expect(refusesTransfers(mint(extension(9, [])))).toBe(true)
  expect(refusesTransfers(mint(extension(14, [...zeros(32), ...zeros(31), 7])))).toBe(true)
  // A hook without a program has no effect.
  expect(refusesTransfers(mint(extension(14, [...zeros(32), ...zeros(32)])))).toBe(false)
  expect(refusesTransfers(fees({ max: 1n, bps: 1n }))).toBe(false)
  expect(refusesTransfers(Uint8Array.from(zeros(82)))).toBe(false)
})

test('a token whose amounts are multiplied by a factor or by interest, now or in the future, has scaled amounts', () => {
  const factor = (value: number) => [...new Uint8Array(Float64Array.of(value).buffer)]
  const scaled = (now: number, next: number) =>
    mint(extension(25, [...zeros(32), ...factor(now), ...zeros(8), ...factor(next)]))
  expect([scaled(1, 1), scaled(10, 1), scaled(1, 10)].map(hasScaledAmounts)).toEqual([false, true, true])
  const rate = (before: number, now: number) => mint(extension(10, [...zeros(40), before, 0, ...zeros(8), now, 0]))
  expect([rate(0, 0), rate(5, 0), rate(0, 5)].map(hasScaledAmounts)).toEqual([false, true, true])
  expect(hasScaledAmounts(fees({ max: 1n, bps: 1n }))).toBe(false)
})
