import { expect, test } from 'vitest'
import { isSameVault } from './isSameVault.ts'

const record = {
  format: 1,
  user: 'ada',
  wallet: 'wallet-1',
  version: 2,
  wrappers: [{ id: 'a' }],
  addresses: { eip155: '0xab', solana: 'So1' },
  vault: { nonce: 'n', sealed: 's' },
}
const isAccepted = (after: unknown, before: unknown = record) =>
  isSameVault(JSON.stringify(before), JSON.stringify(after))

test('a record with different keys and a higher version can replace the previous record', () => {
  expect(isAccepted({ ...record, version: 3, wrappers: [] })).toBe(true)
})

test.each<[string, object]>([
  ['a different format', { ...record, format: 2 }],
  ['a different user', { ...record, user: 'eve' }],
  ['a different wallet', { ...record, wallet: 'wallet-2' }],
  ['a different address', { ...record, addresses: { ...record.addresses, eip155: '0xee' } }],
  ['a different nonce', { ...record, vault: { ...record.vault, nonce: 'm' } }],
  ['a different seed', { ...record, vault: { ...record.vault, sealed: 't' } }],
  ['missing fields', { format: 1 }],
])('a record with %s cannot replace the previous record', (_, after) => {
  expect(isAccepted(after)).toBe(false)
})

test('a record that cannot be parsed can be replaced', () => {
  expect(isAccepted(record, { format: 1 })).toBe(true)
  expect(isSameVault('{', JSON.stringify(record))).toBe(true)
})
