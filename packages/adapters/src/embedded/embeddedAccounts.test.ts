import type { FrameUser } from '@latchkey/protocol/frame/messages'
import { testAccounts } from '@latchkey/testing'
import { expect, test } from 'vitest'
import { accountOf, createEmbeddedAccounts } from './embeddedAccounts.ts'

const [{ address }] = testAccounts
const account = { address, chain: 'eip155:1', type: 'eoa' } as const

test('notifies a chain family’s listeners of account changes and of the logout, until they unsubscribe', () => {
  const accounts = createEmbeddedAccounts()
  const calls: unknown[] = []
  const stop = accounts.subscribe('eip155', (now) => calls.push(now?.chain))
  accounts.subscribe('solana', () => calls.push('solana'))
  accounts.set('eip155', account)
  accounts.set('eip155', { ...account })
  accounts.set('eip155', { ...account, chain: 'eip155:10' })
  accounts.clear()
  expect(calls).toEqual(['eip155:1', 'eip155:10', undefined])
  expect([accounts.get('eip155'), accounts.any()]).toEqual([undefined, undefined])
  stop()
  accounts.set('eip155', account)
  expect([calls.length, accounts.any()]).toEqual([3, account])
})

test('accountOf() takes the account type from the entry in `accounts` that has the active address', () => {
  const user: FrameUser = {
    address,
    chainId: 1,
    preferredAccountType: 'eoa',
    accounts: [{ address, type: 'smartAccount' }],
  }
  expect(accountOf('eip155', user)).toEqual({ address, chain: 'eip155:1', type: 'smartAccount' })
  expect(accountOf('eip155', { ...user, accounts: [] }).type).toBe('eoa')
})

test.each([
  ['an account in a different chain family', { address, chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
  ['an account whose address is invalid', { address: '0x1', chainId: 1 }],
])('accountOf() rejects %s', (_, user) => {
  expect(() => accountOf('eip155', user)).toThrow(expect.objectContaining({ code: 'frame/failed' }))
})
