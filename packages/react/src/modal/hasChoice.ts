import type { Latchkey } from '@latchkey/core'
import type { NetworkNow } from '../hooks/useNetwork.ts'

/** Whether there is a network to change to: one that is right leaves nothing to choose. */
export function hasChoice(latchkey: Latchkey, now: Pick<NetworkNow, 'networks' | 'supported'>): boolean {
  return latchkey.options.networkSwitching !== false && (now.networks.length > 1 || !now.supported)
}
