import type { Network } from '@latchkey/core/adapter'
import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { useCallback } from 'react'
import { isShallowEqual, selectAccount } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** Where the visitor is. */
export interface UseNetworkReturnType {
  /** The chain of the connected wallet, else the one that is chosen here. */
  readonly chain: ChainId | undefined
  readonly network: Network | undefined
  /** False when the wallet is on a chain that the host did not name. */
  readonly supported: boolean
  /** The host's networks, in its order. */
  readonly networks: readonly Network[]
  /** Chooses `chain`; the wallet is asked where one is connected. Rejects with `user/rejected` and the like. */
  readonly switchNetwork: (chain: ChainId) => Promise<void>
}

/** The active network (of `namespace`), and the way to another. */
export function useNetwork(namespace?: Namespace): UseNetworkReturnType {
  const latchkey = useLatchkey()
  const switchNetwork = useCallback((chain: ChainId) => latchkey.switchNetwork(chain), [latchkey])
  const now = useStore((state) => {
    const account = selectAccount(state, namespace)
    const chain =
      account.chain ??
      (namespace === undefined || state.networks.namespace === namespace ? state.networks.active : undefined)
    return {
      chain,
      network:
        chain && (state.networks.known.find((network) => network.caipNetworkId === chain) ?? latchkey.network(chain)),
      supported: chain === undefined || latchkey.supports(chain),
      networks: state.networks.known,
    }
  }, isShallowEqual)
  return { ...now, switchNetwork }
}
