import { expect, test } from 'vitest'
import { canRemoveKey, listUnlockKeys } from './listUnlockKeys.ts'

const wrapper = (kind: 'device' | 'passkey' | 'kit', id: string) => ({
  kind,
  id,
  name: `the record's ${id}`,
  createdAt: 1,
  salt: '',
  nonce: '',
  sealed: '',
})
const record = (...wrappers: ReturnType<typeof wrapper>[]) => ({ wrappers }) as never
const device = (id: string, more = {}) => ({
  id,
  name: `device ${id}`,
  createdAt: 1,
  lastUsedAt: 9,
  revokedAt: null,
  isThis: false,
  ...more,
})
const passkey = (id: string) => ({ id, name: `passkey ${id}`, createdAt: 2, lastUsedAt: null })

test('lists keys that are in both the record and the server’s data only once', () => {
  const me = {
    devices: [device('a', { isThis: true }), device('b', { revokedAt: 5 })],
    passkeys: [passkey('p'), passkey('q')],
  }
  const rows = listUnlockKeys(
    me,
    record(wrapper('device', 'a'), wrapper('device', 'b'), wrapper('passkey', 'p'), wrapper('kit', 'k')),
  )
  expect(rows.map(({ id, name, state, isThis }) => [id, name, state, isThis])).toEqual([
    ['a', 'device a', 'opens', true],
    ['b', 'device b', 'dead', false],
    ['p', 'passkey p', 'opens', false],
    ['k', "the record's k", 'opens', false],
    ['q', 'passkey q', 'signs-in', false],
  ])
  expect(rows.map(({ lastUsedAt }) => lastUsedAt)).toEqual([9, 9, undefined, undefined, undefined])
})

test('the last key that opens the wallet cannot be removed, even if revoked keys remain', () => {
  const me = { devices: [device('a'), device('b', { revokedAt: 5 })], passkeys: [passkey('q')] }
  const rows = listUnlockKeys(me, record(wrapper('device', 'a'), wrapper('device', 'b')))
  expect(rows.map((row) => [row.id, canRemoveKey(rows, row)])).toEqual([
    ['a', false],
    ['b', true],
    ['q', true],
  ])
  const two = listUnlockKeys(me, record(wrapper('device', 'a'), wrapper('kit', 'k')))
  expect(two.map((row) => canRemoveKey(two, row))).toEqual([true, true, true])
})
