import type { Latchkey, ShownConnector } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/contract'

/** What a directory entry is recognised by. */
export type Known = Pick<Wallet, 'id' | 'name' | 'rdns'>

/** Whether a wallet found here is that entry: by rdns, by id, or by name where neither says anything. */
export function isSame(connector: ShownConnector, wallet: Known): boolean {
  if (connector.members.some((member) => member.rdns !== undefined && member.rdns === wallet.rdns)) return true
  if (connector.members.some((member) => member.explorerId === wallet.id)) return true
  const bothSay = connector.rdns !== undefined && Boolean(wallet.rdns)
  return !bothSay && connector.name.toLowerCase() === wallet.name.toLowerCase()
}

/** Goes on with a wallet that was found here: to its request, or first to the choice of a network family. */
export function pickConnector(latchkey: Latchkey, connector: ShownConnector): void {
  latchkey.track({ event: 'SELECT_WALLET', properties: { name: connector.name, platform: 'browser' } })
  if (connector.members.length > 1) latchkey.modal.push('ConnectingMultiChain', { name: connector.name })
  else latchkey.modal.push('ConnectingExternal', { connectorId: connector.id, namespace: connector.namespace })
}

/** Goes on with a wallet of the directory: the one found here when it is the same, else to where it can be had. */
export function pickWallet(latchkey: Latchkey, wallet: Wallet): void {
  const here = latchkey.shown().find((connector) => isSame(connector, wallet))
  if (here) pickConnector(latchkey, here)
  else latchkey.modal.push('Downloads', { wallet })
}
