import { expect, test } from 'vitest'
import { forgetLogin, rememberLogin } from './loginRecords.ts'
import { harness } from './testing/harness.ts'

test('stores the user’s data after a login and removes it after a logout', () => {
  const { records } = harness()
  const stored = () =>
    [records.emailUsed, records.email, records.socialUsername, records.lastChain].map((record) => record.get())
  records.lastEmailLoginTime.set(1)
  rememberLogin(records, { address: '0x1', chainId: 137, email: 'ada@example.org', userName: 'ada' }, 'eip155:137')
  expect(stored()).toEqual(['true', 'ada@example.org', 'ada', '137'])
  expect(records.lastEmailLoginTime.get()).toBeUndefined()
  rememberLogin(records, { address: '4zMM', chainId: 'solana:x', email: null }, 'solana:x')
  expect(stored()).toEqual(['true', 'ada@example.org', 'ada', 'solana:x'])
  records.connectedSocial.set('google')
  forgetLogin(records)
  expect([...stored(), records.connectedSocial.get()]).toEqual([undefined, undefined, undefined, undefined, undefined])
})
