import { expect, test } from 'vitest'
import { createNamespaceAccounts } from './namespaceAccounts.ts'

function page(...initial: readonly string[]) {
  let accounts = initial
  const granted = createNamespaceAccounts({
    namespace: 'eip155',
    connectorId: 'walletConnect',
    namespaces: () => ({ eip155: { accounts: [...accounts], methods: [], events: [] } }),
    preferred: () => ['eip155:137', 'eip155:10'],
  })
  return {
    granted,
    grant(...next: readonly string[]) {
      accounts = next
      return granted.update()
    },
  }
}

test('the active chain is the first preferred chain that is granted, and its addresses contain no duplicates', () => {
  const { granted } = page('eip155:1:0xa', 'eip155:10:0xB', 'eip155:10:0xb', 'eip155:10:0xc')
  expect(granted.chain).toBe('eip155:10')
  expect(granted.accounts).toEqual(['eip155:10:0xB', 'eip155:10:0xc'])
})

test('only granted chains can be selected, and the selected address is listed first', () => {
  const { granted } = page('eip155:1:0xa', 'eip155:1:0xb', 'eip155:10:0xa')
  granted.selectChain('eip155:1')
  granted.selectChain('eip155:5')
  granted.selectAddress('0xB')
  expect([granted.chain, granted.addresses]).toEqual(['eip155:1', ['0xb', '0xa']])
})

test('if the active chain is revoked, a granted chain replaces it, unless no granted chain is left', () => {
  const { granted, grant } = page('eip155:10:0xa')
  expect([grant('eip155:1:0xa'), granted.chain]).toEqual([true, 'eip155:1'])
  expect([grant(), granted.chain]).toEqual([false, 'eip155:1'])
})

test('throws if no chain is granted', () => {
  expect(() => page()).toThrow(expect.objectContaining({ code: 'wallet/not-authorized' }))
})
