import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { memoryStorage } from '../testing/index.ts'
import { storagePrefix } from './storagePrefix.ts'
import { createCaches } from './storedCaches.ts'

const account = 'eip155:1:0x8ba1f109551bD432803012645Ac136ddd64DBA72'

/** Creates the caches of a page on which an earlier visit stored `entry` in the cache called `name`. */
function cachesWith(name: string, entry: unknown, id?: string) {
  const clock = fakeClock()
  const key = `${storagePrefix(id)}${name}`
  const storage = memoryStorage(entry === undefined ? {} : { [key]: JSON.stringify({ [account]: entry }) })
  const caches = createCaches({ storage: () => storage, log: { warn() {} }, clock, id })
  const stored = () => JSON.parse(storage.all()[key] ?? 'null')
  return { caches, clock, stored }
}

const now = fakeClock().now()

test.each([
  ['0', true],
  ['12', true],
  ['1234567.000000000000000001', true],
  ['', false],
  ['.5', false],
  ['1.', false],
  ['-1', false],
  ['1e18', false],
  ['12 ETH', false],
  ['about 12', false],
  ['1,5', false],
  ['0x10', false],
  [12, false],
  [null, false],
])('a stored balance of %j is used only if it is a decimal number: %s', (balance, isUsed) => {
  const { caches, stored } = cachesWith('native_balance_cache', { balance, symbol: 'ETH', timestamp: now })
  expect(caches.nativeBalance.get(account)).toEqual(isUsed ? { balance, symbol: 'ETH' } : undefined)
  // An invalid entry is removed.
  expect(Object.keys(stored())).toEqual(isUsed ? [account] : [])
})

test.each([
  [{ balance: '1', timestamp: now }],
  [{ balance: '1', symbol: 7, timestamp: now }],
  [{ balance: '1', symbol: 'ETH' }],
  [{ balance: '1', symbol: 'ETH', timestamp: 'today' }],
  ['1 ETH'],
  [null],
])('a stored balance that is incomplete is ignored: %o', (entry) => {
  expect(cachesWith('native_balance_cache', entry).caches.nativeBalance.get(account)).toBeUndefined()
})

test.each([
  [{ balances: [{ symbol: 'USDC' }] }, { balances: [{ symbol: 'USDC' }] }],
  [{ balances: 'all' }, undefined],
  [{}, undefined],
  ['none', undefined],
])('a stored portfolio of %j is used only if it contains a list', (balance, expected) => {
  const { caches } = cachesWith('portfolio_cache', { balance, timestamp: now })
  expect(caches.portfolio.get(account)).toEqual(expected)
})

test.each([
  [
    ['ana.eth', 7, null, 'ben.eth'],
    ['ana.eth', 'ben.eth'],
  ],
  [[], []],
  ['ana.eth', undefined],
])('from the stored names %j, only strings in a list are used', (ens, expected) => {
  expect(cachesWith('ens_cache', { ens, timestamp: now }).caches.ens.get(account)).toEqual(expected)
})

test.each([
  [
    { name: 'ana.eth', image: 'https://img.example/a.png' },
    { name: 'ana.eth', image: 'https://img.example/a.png' },
  ],
  [{ name: 'ana.eth', image: null }, { name: 'ana.eth' }],
  [{ name: 7, image: 'https://img.example/a.png' }, { image: 'https://img.example/a.png' }],
  [{}, {}],
  [null, undefined],
])('from the stored identity %j, only strings are used', (identity, expected) => {
  expect(cachesWith('identity_cache', { identity, timestamp: now }).caches.identity.get(account)).toEqual(expected)
})

test('an entry can be read until it expires, and does not affect the entries of other accounts', async () => {
  const { caches, clock, stored } = cachesWith('ens_cache', undefined)
  caches.ens.set(account, ['ana.eth'])
  await clock.pass(60_000)
  caches.ens.set('other', ['ben.eth'])
  await clock.pass(240_000)
  expect(caches.ens.get(account)).toEqual(['ana.eth'])
  await clock.pass(1)
  expect(caches.ens.get(account)).toBeUndefined()
  expect(stored()).toEqual({ other: { address: 'other', ens: ['ben.eth'], timestamp: now + 60_000 } })
  caches.ens.clear()
  expect([stored(), caches.ens.get('other')]).toEqual([null, undefined])
})

test('instances with different IDs have separate caches', () => {
  const entry = { ens: ['ana.eth'], timestamp: now }
  expect(cachesWith('ens_cache', entry, 'shop').caches.ens.get(account)).toEqual(['ana.eth'])
  expect(storagePrefix('shop')).not.toBe(storagePrefix(undefined))
})
