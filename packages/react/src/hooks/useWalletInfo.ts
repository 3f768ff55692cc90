import type { ConnectorInfo } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol/caip'
import { selectWallet } from '../selectors.ts'
import { useStore } from './useStore.ts'

/** The wallet that is connected: its name, icon and ids. */
export function useWalletInfo(namespace?: Namespace): ConnectorInfo | undefined {
  return useStore((state) => selectWallet(state, namespace))
}
