import { type LocalChain, type ScriptedWallet, type ScriptedWalletOptions, scriptedWallet } from '@latchkey/testing'
import { privateKeyToAccount } from 'viem/accounts'

/** What a test says about one wallet in the page. */
export interface InjectedWallet
  extends Pick<ScriptedWalletOptions, 'name' | 'rdns' | 'icon' | 'uuid' | 'remember' | 'revocation'> {
  readonly privateKeys: readonly `0x${string}`[]
  readonly chains: readonly LocalChain[]
}

declare global {
  interface Window {
    /** Puts wallets into the page, as extensions do before it loads. */
    injectWallets: (wanted: readonly InjectedWallet[]) => void
    /** The wallets in the page, by name. */
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
