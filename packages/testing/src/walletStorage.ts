import type { LocalChain } from './localChain.ts'

/** The data that a wallet stores about a page. */
export interface RememberedPage {
  readonly connected: boolean
  readonly chainId: number
  /** The chains that the page has added. */
  readonly added: readonly LocalChain[]
}

/** Stores a wallet's data about a page. */
export interface WalletStorage {
  read(): RememberedPage | undefined
  write(page: RememberedPage): void
  clear(): void
}

/** Creates storage that uses localStorage or the given storage, or that stores nothing if `remember` is not set. */
export function createWalletStorage(
  remember: boolean | Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined,
  key: string,
): WalletStorage {
  const storage = remember === true ? globalThis.localStorage : remember || undefined
  return {
    read() {
      const text = storage?.getItem(key)
      return text ? (JSON.parse(text) as RememberedPage) : undefined
    },
    write: (page) => storage?.setItem(key, JSON.stringify(page)),
    clear: () => storage?.removeItem(key),
  }
}
