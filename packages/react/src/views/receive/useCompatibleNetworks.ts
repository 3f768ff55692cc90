import type { Network } from '@latchkey/core/adapter'
import { useEffect, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'

/** The networks on which an address can receive assets. */
export interface CompatibleNetworks {
  /**
   * The kind of account. A smart account only exists on `networks`. The address of a key is valid on all networks of its
   * family. `unknown` if the wallet does not report the kind and no contract was found at the address.
   */
  readonly kind: 'smartAccount' | 'key' | 'unknown'
  /** The app's networks on which the address is valid, the active one first. Empty while they are not known. */
  readonly networks: readonly Network[]
  /** The active network, if there is one. */
  readonly active: Network | undefined
  /** Whether the address is valid on the active network, as far as known. */
  readonly isValidHere: boolean
}

/** Returns the app's networks on which the active account can receive assets. */
export function useCompatibleNetworks(): CompatibleNetworks {
  const latchkey = useLatchkey()
  const account = useAccount()
  const { network: active, networks } = useNetwork()
  const type = account.status === 'connected' ? account.type : undefined
  const reported = type === 'smartAccount' ? 'smartAccount' : type === 'eoa' ? 'key' : 'unknown'
  const contract = useContractNetwork(reported === 'unknown')
  // A contract that was found on the active network does not necessarily exist on another one.
  const kind = contract === undefined ? reported : 'smartAccount'
  const [smart, setSmart] = useState<readonly string[]>()
  useEffect(() => {
    if (reported !== 'smartAccount') return
    let unmounted = false
    latchkey.storage().then(
      (records) => {
        if (!unmounted) setSmart(records.smartAccountNetworks.get() ?? [])
      },
      () => undefined,
    )
    return () => {
      unmounted = true
    }
  }, [latchkey, reported])
  const exists = ({ caipNetworkId }: Network): boolean =>
    contract !== undefined
      ? caipNetworkId === contract
      : kind !== 'smartAccount' || (smart ?? []).includes(caipNetworkId.slice(caipNetworkId.indexOf(':') + 1))
  const family = networks.filter(({ chainNamespace }) => chainNamespace === active?.chainNamespace)
  const others = family.filter(({ caipNetworkId }) => caipNetworkId !== active?.caipNetworkId)
  return {
    kind,
    networks: [...(active ? [active] : []), ...others].filter(exists),
    active,
    isValidHere: active === undefined || (reported === 'smartAccount' && smart === undefined) || exists(active),
  }
}

/** Returns the active network if the account is a contract there, such as a Safe. Sends no request unless `isEnabled`. */
function useContractNetwork(isEnabled: boolean): string | undefined {
  const latchkey = useLatchkey()
  const { address } = useAccount()
  const { network } = useNetwork()
  const [found, setFound] = useState<{ readonly address: string; readonly network: string }>()
  useEffect(() => {
    const adapter = latchkey.options.adapters?.find(({ namespace }) => namespace === network?.chainNamespace)
    if (!isEnabled || !network || address === undefined || !adapter?.isContract) return
    const { fetch } = latchkey.options
    const session = latchkey.session()
    const controller = new AbortController()
    const { signal } = controller
    adapter.isContract({ address, network, signal, ...(session && { session }), ...(fetch && { fetch }) }).then(
      (isContract) => {
        if (isContract && !signal.aborted) setFound({ address, network: network.caipNetworkId })
      },
      // If it cannot be read, the view warns that the wallet might not support all networks.
      () => undefined,
    )
    return () => controller.abort()
  }, [latchkey, isEnabled, address, network])
  return found?.address === address && found?.network === network?.caipNetworkId ? found?.network : undefined
}
