import { expect, test } from 'vitest'
import {
  accountId,
  addressOf,
  chainOf,
  isEvmAddress,
  isNamespace,
  isSolanaAddress,
  namespaceOf,
  namespaces,
  parseAccountId,
  parseAssetId,
  parseChainId,
  toEvmAddress,
} from './caip.ts'
import { seededRandom } from './testing/seededRandom.ts'

test('supports five chain families [R3.15]', () => {
  expect(namespaces).toEqual(['eip155', 'solana', 'polkadot', 'bip122', 'cosmos'])
  expect(isNamespace('eip155')).toBe(true)
  for (const other of ['EIP155', 'tezos', '', undefined, null, 1, ['eip155']]) expect(isNamespace(other)).toBe(false)
})

const hex40 = 'dAC17F958D2ee523a2206206994597C13D831ec7'

test.each([
  [`0x${hex40}`, true],
  [hex40, true],
  [`0x${hex40.toLowerCase()}`, true],
  [`0x${hex40.toUpperCase()}`, true],
  [`0X${hex40}`, true],
  [`0x${hex40.slice(1)}`, false],
  [`0x${hex40}0`, false],
  [`0x${hex40.slice(0, -1)}g`, false],
  [` 0x${hex40}`, false],
  [`0x${hex40}\n`, false],
  ['', false],
  ['0x', false],
])('isEvmAddress("%s") returns %s [R5.5]', (text, is) => {
  expect(isEvmAddress(text)).toBe(is)
})

test('adds a missing 0x prefix to an EVM address and preserves the address’s case [R5.5]', () => {
  for (const text of [hex40, `0x${hex40}`, `0X${hex40}`]) expect(toEvmAddress(text)).toBe(`0x${hex40}`)
  for (const text of [`${hex40}0`, hex40.slice(1), `0x0x${hex40}`, '']) expect(toEvmAddress(text)).toBeUndefined()
})

test.each([
  ['1'.repeat(32), true],
  ['z'.repeat(44), true],
  ['So11111111111111111111111111111111111111112', true],
  ['1'.repeat(31), false],
  ['1'.repeat(45), false],
  [`${'1'.repeat(31)}0`, false],
  [`${'1'.repeat(31)}O`, false],
  [`${'1'.repeat(31)}I`, false],
  [`${'1'.repeat(31)}l`, false],
  [`x ${'1'.repeat(32)}`, false],
  [`${'1'.repeat(32)}\n`, false],
  ['', false],
])('isSolanaAddress("%s") returns %s [R5.6]', (text, is) => {
  expect(isSolanaAddress(text)).toBe(is)
})

test.each([
  ['eip155:1:0xa', { namespace: 'eip155', chain: 'eip155:1', reference: '1', address: '0xa' }],
  ['cosmos:hub-4:c1', { namespace: 'cosmos', chain: 'cosmos:hub-4', reference: 'hub-4', address: 'c1' }],
  ['eip155:1', undefined],
  ['eip155:1:', undefined],
  ['eip155::0xa', undefined],
  [':1:0xa', undefined],
  ['eip155:1:0xa:b', undefined],
  ['foo:1:0xa', undefined],
  ['EIP155:1:0xa', undefined],
  ['', undefined],
])('parses "%s" as an account ID [R5.7]', (text, parts) => {
  expect(parseAccountId(text)).toEqual(parts)
})

test.each([
  ['eip155:1', { namespace: 'eip155', reference: '1' }],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', { namespace: 'solana', reference: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
  ['eip155:1:0xa', undefined],
  ['eip155:', undefined],
  ['eip155', undefined],
  [':1', undefined],
  ['foo:1', undefined],
  ['', undefined],
])('parses "%s" as a chain ID [R5.16]', (text, parts) => {
  expect(parseChainId(text)).toEqual(parts)
})

test('an asset ID consists of a chain ID, a slash, a standard, a colon and a reference', () => {
  const usdt = `eip155:1/erc20:0x${hex40}`
  expect(parseAssetId(usdt)).toEqual({ chain: 'eip155:1', standard: 'erc20', reference: `0x${hex40}` })
  for (const other of ['eip155:1', 'eip155:1/', 'eip155:1/erc20', 'eip155:1/erc20:', 'foo:1/a:b', 'eip155:1/a:b/c:d']) {
    expect(parseAssetId(other)).toBeUndefined()
  }
})

test('formatting and then parsing an ID returns the same values (1,000 random values) [R5.7] [R5.16]', () => {
  const { pick, word } = seededRandom(7)
  for (let turn = 0; turn < 1000; turn++) {
    const namespace = pick(namespaces)
    const reference = word(1, 32)
    const address = word(1, 64)
    const id = accountId(`${namespace}:${reference}`, address)
    expect(parseAccountId(id)).toEqual({ namespace, chain: `${namespace}:${reference}`, reference, address })
    expect(parseChainId(chainOf(id))).toEqual({ namespace, reference })
    expect(namespaceOf(id)).toBe(namespace)
    expect(addressOf(id)).toBe(address)
  }
})

test('the parsers never throw (1,000 random strings)', () => {
  const { pick, int } = seededRandom(8)
  for (let turn = 0; turn < 1000; turn++) {
    const text = Array.from({ length: int(8) }, () =>
      pick([':', '/', 'eip155', 'solana', '1', '\0', '💸', '__proto__']),
    ).join('')
    const parts = parseAccountId(text)
    expect(parts === undefined || `${parts.chain}:${parts.address}` === text).toBe(true)
    expect([true, false]).toContain(parseChainId(text) === undefined && parseAssetId(text) === undefined)
  }
})
