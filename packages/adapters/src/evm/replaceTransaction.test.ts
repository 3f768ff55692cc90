import { expect, test } from 'vitest'
import { replacementOf } from './replaceTransaction.ts'

const sender = '0x1111111111111111111111111111111111111111'
const pending = {
  from: sender.toUpperCase().replace('0X', '0x'),
  to: '0x2222222222222222222222222222222222222222',
  nonce: '0x7',
  value: '0x5',
  input: '0x1234',
  gasPrice: '0x64',
  maxFeePerGas: '0x3b9aca00',
  maxPriorityFeePerGas: '0x64',
  blockNumber: null,
}

test('a replacement has the nonce and the content of the pending transaction, and fees that nodes accept', () => {
  const replacement = replacementOf(pending, { sender, cancels: false })
  expect(replacement).toEqual({
    to: pending.to,
    value: '0x5',
    data: '0x1234',
    nonce: '0x7',
    maxFeePerGas: `0x${(1_125_000_001).toString(16)}`,
    maxPriorityFeePerGas: `0x${(113).toString(16)}`,
  })
  for (const [raised, before] of [
    [replacement.maxFeePerGas, pending.maxFeePerGas],
    [replacement.maxPriorityFeePerGas, pending.maxPriorityFeePerGas],
  ])
    expect(Number(raised)).toBeGreaterThanOrEqual(Number(before) * 1.1)
})

test('a cancellation pays nothing to the sender with the same nonce', () => {
  expect(replacementOf(pending, { sender, cancels: true })).toMatchObject({
    to: sender,
    value: '0x0',
    data: '0x',
    nonce: '0x7',
  })
})

test('a transaction with a single gas price is replaced by one', () => {
  const { maxFeePerGas: _, maxPriorityFeePerGas: __, ...legacy } = pending
  const replacement = replacementOf(legacy, { sender, cancels: false })
  expect(replacement).toMatchObject({ gasPrice: `0x${(113).toString(16)}` })
  expect(replacement).not.toHaveProperty('maxFeePerGas')
})

test.each([
  ['is not known', null],
  ['is in a block', { ...pending, blockNumber: '0x1' }],
  ['belongs to another account', { ...pending, from: pending.to }],
  ['has no nonce', { ...pending, nonce: undefined }],
])('a transaction that %s cannot be replaced', (_, found) => {
  expect(() => replacementOf(found, { sender, cancels: false })).toThrow(
    expect.objectContaining({ code: 'send/not-pending' }),
  )
})
