import { expect, test } from 'vitest'
import {
  isEvmAddress,
  isSolanaAddress,
  namespaces,
  parseAccountId,
  parseChainId,
} from '../packages/protocol/src/caip.ts'
import { wallet } from '../packages/protocol/src/http/publicRoutes.ts'
import { validationIssues } from '../packages/protocol/src/parseWithSchema.ts'

const hex = '0123456789abcdefABCDEF0123456789abcdefAB'

test('an EVM address is 40 hex characters with an optional 0x prefix [R5.5]', () => {
  for (const address of [hex, `0x${hex}`]) expect(isEvmAddress(address)).toBe(true)
  for (const other of [`0x${hex.slice(2)}`, `${hex}0`, `1x${hex}`, `0x0x${hex}`])
    expect(isEvmAddress(other)).toBe(false)
})

test('a Solana address is 32 to 44 base58 characters [R5.6]', () => {
  for (let length = 0; length < 60; length++)
    expect(isSolanaAddress('A'.repeat(length))).toBe(length >= 32 && length <= 44)
  for (const other of '0OIl+/ _') expect(isSolanaAddress('A'.repeat(40) + other)).toBe(false)
})

test.each(namespaces)('a cross-chain address starts with a known namespace: %s [R5.7]', (namespace) => {
  expect(parseAccountId(`${namespace}:1:a`)).toMatchObject({ namespace, address: 'a' })
  for (const other of [
    `x${namespace}:1:a`,
    `${namespace}:1`,
    `${namespace}::a`,
    `${namespace}:1:`,
    `${namespace}:1:a:b`,
  ]) {
    expect(parseAccountId(other)).toBeUndefined()
  }
})

test('a chain ID is namespace:reference [R5.16]', () => {
  expect(parseChainId('eip155:1')).toEqual({ namespace: 'eip155', reference: '1' })
  for (const other of ['eip155', 'eip155:1:2', ':1', 'eip155:']) expect(parseChainId(other)).toBeUndefined()
})

test('validation issues use the generic messages “Required”, “Invalid input” and “Expected X received Y” [R5.18]', () => {
  expect(validationIssues(wallet, { name: '', rdns: 7 })).toEqual([
    { path: 'id', message: 'Required' },
    { path: 'name', message: 'Invalid input' },
    { path: 'rdns', message: 'Expected string received number' },
  ])
})
