import { isSolanaAddress, type Namespace, namespaceOf, toEvmAddress } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { chainFromWire, type FrameUser } from '@latchkey/protocol/frame/messages'
import type { EmbeddedAccount } from './sessionContext.ts'

type Listener = (account: EmbeddedAccount | undefined) => void

/** The logged-in user's accounts, keyed by chain family. */
export interface EmbeddedAccounts {
  get(namespace: Namespace): EmbeddedAccount | undefined
  /** Returns an account from any chain family. */
  any(): EmbeddedAccount | undefined
  set(namespace: Namespace, account: EmbeddedAccount): void
  /** Calls `listener` when the account changes, and with `undefined` after a logout. Returns a function that unsubscribes. */
  subscribe(namespace: Namespace, listener: Listener): () => void
  /** Removes all accounts after a logout. */
  clear(): void
  /** Removes all listeners. */
  stop(): void
}

/** Creates the accounts for a wallet without a logged-in user. */
export function createEmbeddedAccounts(): EmbeddedAccounts {
  const accounts = new Map<Namespace, EmbeddedAccount>()
  const listeners = new Map<Namespace, Set<Listener>>()
  const notify = (namespace: Namespace, account: EmbeddedAccount | undefined): void => {
    for (const listener of [...(listeners.get(namespace) ?? [])]) listener(account)
  }

  return {
    get: (namespace) => accounts.get(namespace),
    any: () => [...accounts.values()][0],
    set(namespace, account) {
      const before = accounts.get(namespace)
      accounts.set(namespace, account)
      if (before?.address === account.address && before.chain === account.chain && before.type === account.type) return
      notify(namespace, account)
    },
    subscribe(namespace, listener) {
      const all = listeners.get(namespace) ?? new Set()
      listeners.set(namespace, all.add(listener))
      return () => all.delete(listener)
    },
    clear() {
      const left = [...accounts.keys()]
      accounts.clear()
      for (const namespace of left) notify(namespace, undefined)
    },
    stop: () => listeners.clear(),
  }
}

/** Validates the account that the frame reported for a chain family. Throws `frame/failed` if the account is invalid. */
export function accountOf(namespace: Namespace, user: FrameUser): EmbeddedAccount {
  const chain = chainFromWire(user.chainId)
  const plain = isSolanaAddress(user.address) ? user.address : undefined
  const address = namespace === 'eip155' ? toEvmAddress(user.address) : plain
  if (!chain || namespaceOf(chain) !== namespace || !address) {
    throw failure('frame/failed', { message: `The frame returned no ${namespace} account.` })
  }
  const { accounts = [], preferredAccountType } = user
  const type = accounts.find(({ address }) => address === user.address)?.type ?? preferredAccountType
  return { address, chain, type }
}
