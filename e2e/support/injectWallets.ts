import { type LocalChain, type ScriptedWallet, type ScriptedWalletOptions, scriptedWallet } from '@latchkey/testing'
import { privateKeyToAccount } from 'viem/accounts'

/** Options for a wallet to inject into the page. */
export interface InjectedWallet
  extends Pick<ScriptedWalletOptions, 'name' | 'rdns' | 'icon' | 'uuid' | 'remember' | 'revocation'> {
  readonly privateKeys: readonly `0x${string}`[]
  readonly chains: readonly LocalChain[]
}

declare global {
  interface Window {
    /** Injects wallets before the page loads, as extensions do. */
    injectWallets: (wanted: readonly InjectedWallet[]) => void
    /** The injected wallets, keyed by name. */
    wallets: Record<string, ScriptedWallet>
  }
}

globalThis.window.injectWallets = (wanted) => {
  window.wallets ??= {}
  for (const { privateKeys, ...options } of wanted) {
    const wallet = scriptedWallet({ ...options, accounts: privateKeys.map((key) => privateKeyToAccount(key)) })
    window.wallets[wallet.info.name] = wallet
    wallet.announce(window)
  }
}
