import type { Wallet } from '@latchkey/protocol/http/contract'
import type { ConnectorGroup } from '../latchkey.ts'

/** What a directory entry is recognised by. */
export type WalletIdentity = Pick<Wallet, 'id' | 'name' | 'rdns'>

/** Whether a wallet found here is that entry: by rdns, by id, or by name where neither says anything. */
export function isSame(connector: ConnectorGroup, wallet: WalletIdentity): boolean {
  if (isNamedBy(connector, wallet)) return true
  const bothSay = connector.rdns !== undefined && Boolean(wallet.rdns)
  return !bothSay && connector.name.toLowerCase() === wallet.name.toLowerCase()
}

/** Whether a wallet found here is that entry by its rdns or its id, whatever either is called. */
export function isNamedBy({ members }: ConnectorGroup, wallet: Pick<WalletIdentity, 'id' | 'rdns'>): boolean {
  return members.some(
    ({ rdns, explorerId }) => (rdns !== undefined && knownAs(rdns) === wallet.rdns) || explorerId === wallet.id,
  )
}

/** MetaMask announces itself under a name of its own in its app's browser. */
function knownAs(rdns: string): string {
  return rdns === 'io.metamask.mobile' ? 'io.metamask' : rdns
}
