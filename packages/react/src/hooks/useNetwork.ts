import type { Network } from '@latchkey/core/adapter'
import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { useCallback } from 'react'
import { isShallowEqual, selectAccount } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** Return type of `useNetwork`. */
export interface UseNetworkReturnType {
  /** The chain of the connected wallet, or the selected chain while disconnected. */
  readonly chain: ChainId | undefined
  /** The network of `chain`, as the host lists it or its adapter describes it. `undefined` without a chain. */
  readonly network: Network | undefined
  /** False if the wallet is on a chain that the host does not list. */
  readonly supported: boolean
  /** The host's networks, in the configured order. */
  readonly networks: readonly Network[]
  /** Selects `chain`. If a wallet is connected, requests the switch from it; rejects with `user/rejected` and other errors. */
  readonly switchNetwork: (chain: ChainId) => Promise<void>
}

/**
 * Returns the active network, or that of `namespace`, and a function to switch it.
 *
 * @example
 * const { chain, switchNetwork } = useNetwork()
 * if (chain !== 'eip155:1') await switchNetwork('eip155:1')
 */
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
