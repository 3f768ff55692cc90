import { type Address, type LocalAccount, numberToHex } from 'viem'
import type { LocalChain } from './localChain.ts'
import { ProviderRpcError } from './providerRpcError.ts'
import type { WalletStorage } from './walletStorage.ts'

/** The accounts and chains of a scripted wallet, and whether a page can use them. Changes are emitted to the page. */
export interface WalletState {
  /** The active chain. */
  readonly chain: LocalChain
  /** The active account. */
  readonly account: LocalAccount
  /** The selected accounts, starting with the active account. */
  readonly accounts: readonly LocalAccount[]
  readonly isConnected: boolean
  /** Returns the addresses that the page is allowed to see. */
  exposedAddresses(): Address[]
  /**
   * Returns the account that signs for `address`.
   * @throws 4100 if the page is not allowed to use the account.
   */
  signer(address: unknown): LocalAccount
  findChain(id: number): LocalChain | undefined
  /** Adds a chain at the page's request, and switches to it. */
  addChain(chain: LocalChain): void
  switchChain(chain: LocalChain): void
  /** Selects a chain on behalf of the user, by its ID or as an object. */
  selectChain(chain: number | LocalChain): void
  /** Selects accounts on behalf of the user, by index or as objects. */
  selectAccounts(accounts: readonly (LocalAccount | number)[]): void
  /** Allows the page to see the accounts, and unlocks the wallet. */
  grant(): void
  revoke(options?: { silently?: boolean }): void
  lock(): void
  unlock(): void
}

/** Creates the state of a wallet from the data in `storage`. */
export function createWalletState({
  accounts: allAccounts,
  chains: ownChains,
  storage,
  emit,
}: {
  accounts: readonly LocalAccount[]
  chains: readonly LocalChain[]
  storage: WalletStorage
  emit: (event: 'accountsChanged' | 'chainChanged', value: unknown) => void
}): WalletState {
  const remembered = storage.read()
  const added: LocalChain[] = [...(remembered?.added ?? [])]
  const chains = new Map([...ownChains, ...added].map((chain) => [chain.id, chain]))
  let accounts = allAccounts
  let chain = (remembered && chains.get(remembered.chainId)) ?? required(chains.values().next().value, 'chain')
  let connected = remembered?.connected ?? false
  let locked = false

  const remember = (): void => storage.write({ connected, chainId: chain.id, added })
  const exposedAddresses = (): Address[] => (connected && !locked ? accounts.map(({ address }) => address) : [])

  const switchChain = (next: LocalChain): void => {
    if (next.id === chain.id) return
    chain = next
    remember()
    emit('chainChanged', numberToHex(next.id))
  }

  return {
    get chain() {
      return chain
    },
    get account() {
      return required(accounts[0], 'account')
    },
    get accounts() {
      return accounts
    },
    get isConnected() {
      return connected
    },
    exposedAddresses,
    signer(address) {
      const account = accounts.find((account) => account.address.toLowerCase() === String(address).toLowerCase())
      if (!connected || locked || !account)
        throw new ProviderRpcError(4100, 'The requested account has not been authorized.')
      return account
    },
    findChain: (id) => chains.get(id),
    addChain(next) {
      if (!chains.has(next.id)) added.push(next)
      chains.set(next.id, next)
      switchChain(next)
      remember()
    },
    switchChain,
    selectChain(next) {
      const selected = typeof next === 'number' ? chains.get(next) : next
      if (!selected) throw new RangeError(`Unknown chain ${String(next)}.`)
      chains.set(selected.id, selected)
      switchChain(selected)
    },
    selectAccounts(selected) {
      accounts = selected.map((item) => {
        const account = typeof item === 'number' ? allAccounts[item] : item
        if (!account) throw new RangeError(`Unknown account ${String(item)}.`)
        return account
      })
      if (connected && !locked) emit('accountsChanged', exposedAddresses())
    },
    grant() {
      connected = true
      locked = false
      remember()
    },
    revoke({ silently = false } = {}) {
      const wasExposed = exposedAddresses().length > 0
      connected = false
      storage.clear()
      if (wasExposed && !silently) emit('accountsChanged', [])
    },
    lock() {
      const wasExposed = exposedAddresses().length > 0
      locked = true
      if (wasExposed) emit('accountsChanged', [])
    },
    unlock() {
      if (!locked) return
      locked = false
      if (connected) emit('accountsChanged', exposedAddresses())
    },
  }
}

function required<Item>(item: Item | undefined, name: string): Item {
  if (item === undefined) throw new TypeError(`A scripted wallet needs at least one ${name}.`)
  return item
}
