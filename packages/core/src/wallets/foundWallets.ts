import { confusableKey } from '@latchkey/protocol/displayName'
import type { ConnectorGroup } from '../latchkey.ts'
import { isNamedBy, type WalletIdentity } from './walletIdentity.ts'

/** The wallets found here, ready to be compared with a long list of directory entries. */
export interface FoundWallets {
  /** The wallet found here that an entry stands for: by rdns, by id, or by the look of its name where one of them has no rdns. */
  of(wallet: WalletIdentity): ConnectorGroup | undefined
  /** An entry with the name to show beside them: with its own rdns where its name could be taken for one of theirs. */
  named<Entry extends WalletIdentity>(wallet: Entry): Entry
}

/** Compares directory entries with the wallets found here: a directory must not have a visitor take its entry for an installed wallet. */
export function foundWallets(connectors: readonly ConnectorGroup[]): FoundWallets {
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

/** A name without letters is compared as it is. */
function visibleLook(name: string): string {
  return confusableKey(name) || name
}
