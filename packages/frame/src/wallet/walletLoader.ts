import type { EmbeddedWallet } from './embeddedWallet.ts'
import type { WalletDependencies } from './walletDependencies.ts'

/** Loads the code of this frame's embedded wallet on first use. */
export interface WalletLoader {
  /** Loads the wallet once. If loading fails, the next call tries again. */
  load(): Promise<EmbeddedWallet>
  /** Returns the wallet, or `undefined` if it is not loaded yet. */
  loaded(): EmbeddedWallet | undefined
  /** Locks the wallet, even if it is still being loaded. */
  lock(): void
}

/** Creates a wallet loader. */
export function createWalletLoader(dependencies: Omit<WalletDependencies, 'environment'>): WalletLoader {
  let loading: Promise<EmbeddedWallet> | undefined
  let loaded: EmbeddedWallet | undefined
  return {
    load() {
      loading ??= Promise.all([import('./embeddedWallet.ts'), import('@latchkey/vault')]).then(
        ([{ createEmbeddedWallet }, { systemEnvironment }]) =>
          createEmbeddedWallet({ ...dependencies, environment: systemEnvironment() }),
      )
      loading.then(
        (wallet) => {
          loaded = wallet
        },
        () => {
          // Allows a retry if part of the code failed to load.
          loading = undefined
        },
      )
      return loading
    },
    loaded: () => loaded,
    lock: () => void loading?.then((wallet) => wallet.lock()),
  }
}
