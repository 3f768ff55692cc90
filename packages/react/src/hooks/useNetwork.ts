import type { Network } from '@latchkey/core/adapter'
import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { useCallback } from 'react'
import { isShallowEqual, selectAccount } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** The return type of `useNetwork`. */
export interface UseNetworkReturnType {
  /** The chain of the connected wallet, or the selected chain while disconnected. */
  readonly chain: ChainId | undefined
  /** The network for `chain`, as listed by the host or described by the adapter. `undefined` if there is no chain. */
  readonly network: Network | undefined
  /** Whether the host lists the wallet's current chain. Also `true` if there is no chain. */
  readonly supported: boolean
  /** The host's networks, in the order in which they are configured. */
  readonly networks: readonly Network[]
  /**
   * Switches to `chain`. If a wallet is connected, the wallet is asked to switch. Rejects if the switch fails, for example with
   * `user/rejected`.
   */
  readonly switchNetwork: (chain: ChainId) => Promise<void>
}

/**
 * Returns the active network, or the network in `namespace`, and a function for switching networks.
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
