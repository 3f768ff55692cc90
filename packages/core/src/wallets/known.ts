import type { Wallet } from '@latchkey/protocol/http/contract'
import type { ShownConnector } from '../latchkey.ts'

/** What a directory entry is recognised by. */
export type Known = Pick<Wallet, 'id' | 'name' | 'rdns'>

/** Whether a wallet found here is that entry: by rdns, by id, or by name where neither says anything. */
export function isSame(connector: ShownConnector, wallet: Known): boolean {
  if (connector.members.some(({ rdns }) => rdns !== undefined && knownAs(rdns) === wallet.rdns)) return true
  if (connector.members.some((member) => member.explorerId === wallet.id)) return true
  const bothSay = connector.rdns !== undefined && Boolean(wallet.rdns)
  return !bothSay && connector.name.toLowerCase() === wallet.name.toLowerCase()
}

/** MetaMask announces itself under a name of its own in its app's browser. */
function knownAs(rdns: string): string {
  return rdns === 'io.metamask.mobile' ? 'io.metamask' : rdns
}
