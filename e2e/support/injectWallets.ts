import { type LocalChain, type ScriptedWallet, type ScriptedWalletOptions, scriptedWallet } from '@latchkey/testing'
import type { LocalAccount } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount, toAccount } from 'viem/accounts'

/** Options for a wallet to inject into the page. */
export interface InjectedWallet
  extends Pick<ScriptedWalletOptions, 'name' | 'rdns' | 'icon' | 'uuid' | 'remember' | 'revocation'> {
  readonly accounts: readonly { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }[]
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

/**
 * Creates an account that derives its public key when it first signs. Deriving the key immediately would take tens of
 * milliseconds in every document.
 */
function accountOf({ address, privateKey }: InjectedWallet['accounts'][number]): LocalAccount {
  let derived: PrivateKeyAccount | undefined
  const account = (): PrivateKeyAccount => {
    derived ??= privateKeyToAccount(privateKey)
    return derived
  }
  return toAccount({
    address,
    signMessage: (request) => account().signMessage(request),
    signTransaction: (transaction, options) => account().signTransaction(transaction, options),
    signTypedData: (request) => account().signTypedData(request),
  })
}

globalThis.window.injectWallets = (wanted) => {
  window.wallets ??= {}
  for (const { accounts, ...options } of wanted) {
    const wallet = scriptedWallet({ ...options, accounts: accounts.map(accountOf) })
    window.wallets[wallet.info.name] = wallet
    wallet.announce(window)
  }
}
