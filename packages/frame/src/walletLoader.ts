import type { EmbeddedWallet, WalletDependencies } from './embeddedWallet.ts'

/** The embedded wallet of this frame, whose code is loaded on first use. */
export interface WalletLoader {
  /** Loads the wallet once. If that fails, the next call tries again. */
  load(): Promise<EmbeddedWallet>
  /** The wallet, or `undefined` if it is not loaded yet. */
  loaded(): EmbeddedWallet | undefined
  /** Locks the wallet, also one that is being loaded. */
  lock(): void
}

/** Creates a loader. */
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
          // Allow a retry if a chunk failed to load.
          loading = undefined
        },
      )
      return loading
    },
    loaded: () => loaded,
    lock: () => void loading?.then((wallet) => wallet.lock()),
  }
}
