import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { ConnectorGroup } from '../latchkeyTypes.ts'

/** The fields that identify a directory entry. */
export type WalletIdentity = Pick<Wallet, 'id' | 'name' | 'rdns'>

/**
 * Whether a discovered wallet and a directory entry are the same wallet. Compares the rdns and ID, and the name unless both have
 * an rdns.
 *
 * @example
 * const connector = latchkey.shown().find((shown) => isSame(shown, wallet))
 */
export function isSame(connector: ConnectorGroup, wallet: WalletIdentity): boolean {
  if (isNamedBy(connector, wallet)) return true
  const bothSay = connector.rdns !== undefined && Boolean(wallet.rdns)
  return !bothSay && connector.name.toLowerCase() === wallet.name.toLowerCase()
}

/** Whether a discovered wallet's rdns or id matches the entry, regardless of the names. */
export function isNamedBy({ members }: ConnectorGroup, wallet: Pick<WalletIdentity, 'id' | 'rdns'>): boolean {
  return members.some(
    ({ rdns, explorerId }) => (rdns !== undefined && knownAs(rdns) === wallet.rdns) || explorerId === wallet.id,
  )
}

/** Returns the rdns of the wallet's directory entry. MetaMask reports a different rdns in its in-app browser. */
function knownAs(rdns: string): string {
  return rdns === 'io.metamask.mobile' ? 'io.metamask' : rdns
}
