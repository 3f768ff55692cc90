import type { Latchkey } from '@latchkey/core'
import type { UseNetworkReturnType } from './useNetwork.ts'

/** Whether the user can switch networks, that is, whether the host allows it and there is another network to switch to. */
export function canSwitchNetwork(
  latchkey: Latchkey,
  network: Pick<UseNetworkReturnType, 'networks' | 'supported'>,
): boolean {
  return latchkey.options.networkSwitching !== false && (network.networks.length > 1 || !network.supported)
}
