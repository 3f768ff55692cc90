import type { Latchkey } from '@latchkey/core'
import type { UseNetworkReturnType } from '../hooks/useNetwork.ts'

/** Whether the user can switch networks: the host allows it, and there is a network other than the active one. */
export function canSwitchNetwork(
  latchkey: Latchkey,
  network: Pick<UseNetworkReturnType, 'networks' | 'supported'>,
): boolean {
  return latchkey.options.networkSwitching !== false && (network.networks.length > 1 || !network.supported)
}
