import { confusableKey } from '@latchkey/protocol/displayName'
import type { ConnectorGroup } from '../latchkeyTypes.ts'
import { isNamedBy, type WalletIdentity } from './walletIdentity.ts'

/** The discovered wallets, prepared for comparison with many directory entries. */
export interface DiscoveredWallets {
  /** Returns the discovered wallet that an entry refers to: by rdns, by id, or by a similar name if one of them has no rdns. */
  of(wallet: WalletIdentity): ConnectorGroup | undefined
  /** Returns an entry with its display name, which includes the entry's rdns if the name could be confused with a discovered wallet's. */
  named<Entry extends WalletIdentity>(wallet: Entry): Entry
}

/**
 * Compares directory entries with the discovered wallets. An entry must not be mistaken for an installed wallet.
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
