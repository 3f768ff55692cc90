import type { Latchkey } from '@latchkey/core'
import type { UseNetworkReturnType } from '../hooks/useNetwork.ts'

/** Whether there is a network to change to: one that is right leaves nothing to choose. */
export function canSwitchNetwork(
  latchkey: Latchkey,
  network: Pick<UseNetworkReturnType, 'networks' | 'supported'>,
): boolean {
  return latchkey.options.networkSwitching !== false && (network.networks.length > 1 || !network.supported)
}
