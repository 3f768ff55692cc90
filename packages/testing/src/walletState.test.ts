import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { localChain } from './localChain.ts'
import { testAccounts } from './testAccounts.ts'
import { createWalletState } from './walletState.ts'
import { createWalletStorage } from './walletStorage.ts'

const accounts = testAccounts.slice(0, 2).map(({ privateKey }) => privateKeyToAccount(privateKey))
const [ada, bob] = accounts.map(({ address }) => address)
const chain = localChain({ rpcUrl: 'http://127.0.0.1:8545' })
const other = localChain({ rpcUrl: 'http://127.0.0.1:8546', id: 31338 })

function walletState(items = new Map<string, string>()) {
  const events: [string, unknown][] = []
  const storage = createWalletStorage(
    {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    },
    'wallet',
  )
  const emit = (event: string, value: unknown) => events.push([event, value])
  return { items, events, state: createWalletState({ accounts, chains: [chain], storage, emit }) }
}

test('the page can see accounts and sign with them only while it is connected and the wallet is unlocked', () => {
  const { state, events } = walletState()
  const unauthorized = expect.objectContaining({ code: 4100 })
  expect(() => state.signer(ada)).toThrow(unauthorized)
  state.grant()
  expect([state.exposedAddresses(), state.signer(bob?.toLowerCase()).address]).toEqual([[ada, bob], bob])
  state.lock()
  expect(() => state.signer(ada)).toThrow(unauthorized)
  state.unlock()
  state.selectAccounts([1])
  state.revoke()
  expect(events).toEqual([
    ['accountsChanged', []],
    ['accountsChanged', [ada, bob]],
    ['accountsChanged', [bob]],
    ['accountsChanged', []],
  ])
})

test('a wallet emits no events if the page has no permission or the permission is revoked silently', () => {
  const { state, events } = walletState()
  state.lock()
  state.unlock()
  state.revoke()
  state.grant()
  state.revoke({ silently: true })
  expect([events, state.isConnected]).toEqual([[], false])
})

test('an added chain becomes active, and is stored with the permission until the permission is revoked', () => {
  const { state, events, items } = walletState()
  state.grant()
  state.addChain(other)
  state.switchChain(other)
  expect(events).toEqual([['chainChanged', '0x7a6a']])
  const reloaded = walletState(items).state
  expect([reloaded.chain, reloaded.findChain(31338), reloaded.exposedAddresses()]).toEqual([other, other, [ada, bob]])
  reloaded.revoke()
  expect(walletState(items).state).toMatchObject({ isConnected: false, chain })
})

test('unknown chains and accounts cannot be selected', () => {
  const { state } = walletState()
  expect(() => state.selectChain(1)).toThrow('Unknown chain 1.')
  expect(() => state.selectAccounts([7])).toThrow('Unknown account 7.')
})
