import type { ConnectorInfo } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol/caip'
import { selectWallet } from '../selectors.ts'
import { useStore } from './useStore.ts'

/**
 * Returns the name, icon and IDs of the connected wallet, or `undefined` while disconnected.
 *
 * @example
 * const wallet = useWalletInfo()
 * {wallet && <img src={wallet.icon} alt={wallet.name} />}
 */
export function useWalletInfo(namespace?: Namespace): ConnectorInfo | undefined {
  return useStore((state) => selectWallet(state, namespace))
}
