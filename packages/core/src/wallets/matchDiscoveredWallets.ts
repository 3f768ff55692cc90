import { confusableKey } from '@latchkey/protocol/untrustedNames'
import type { ConnectorGroup } from '../latchkeyTypes.ts'
import { isNamedBy, type WalletIdentity } from './isSameWallet.ts'

/** The discovered wallets, prepared for comparison with many directory entries. */
export interface DiscoveredWallets {
  /**
   * Returns the discovered wallet that matches a directory entry by rdns, by ID, or by a similar name if either of them has no
   * rdns.
   */
  of(wallet: WalletIdentity): ConnectorGroup | undefined
  /**
   * Returns `wallet` with a name that cannot be confused with that of a discovered wallet: if necessary, the rdns is appended, or `?`
   * if there is none.
   */
  named<Entry extends WalletIdentity>(wallet: Entry): Entry
}

/**
 * Prepares `connectors` for comparison with directory entries, so that no entry is mistaken for an installed wallet.
 *
 * @example
 * const isInstalled = discoveredWallets(latchkey.shown()).of(wallet) !== undefined
 */
export function discoveredWallets(connectors: readonly ConnectorGroup[]): DiscoveredWallets {
  const looks = connectors.map((connector) => ({
    connector,
    look: visibleLook(connector.name),
    rdnsLook: connector.rdns === undefined ? undefined : confusableKey(connector.rdns),
  }))
  return {
    of(wallet) {
      const known = connectors.find((connector) => isNamedBy(connector, wallet))
      if (known || looks.length === 0) return known
      const own = visibleLook(wallet.name)
      return looks.find(({ connector, look }) => look === own && (connector.rdns === undefined || !wallet.rdns))
        ?.connector
    },
    named(wallet) {
      if (looks.length === 0) return wallet
      const own = visibleLook(wallet.name)
      const isAlike = looks.some(
        ({ look, rdnsLook }) => look === own || (rdnsLook !== undefined && own.includes(rdnsLook)),
      )
      return isAlike ? { ...wallet, name: `${wallet.name} (${wallet.rdns || '?'})` } : wallet
    },
  }
}

/** Returns the key for comparing names. A name without letters is compared unchanged. */
function visibleLook(name: string): string {
  return confusableKey(name) || name
}
