import type { Network } from '@latchkey/core/adapter'
import { useEffect, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'

/** The networks on which an address can receive assets. */
export interface CompatibleNetworks {
  /**
   * The kind of account: a smart account only exists on `networks`, and the address of a key is the same on all networks of its
   * family. `unknown` if the wallet does not report it.
   */
  readonly kind: 'smartAccount' | 'key' | 'unknown'
  /** The app's networks on which the address is valid, the active one first. Empty while they are not known. */
  readonly networks: readonly Network[]
  /** The active network, if there is one. */
  readonly active: Network | undefined
  /** Whether the address is valid on the active network. */
  readonly isValidHere: boolean
}

/** Returns the app's networks on which the active account can receive assets. */
export function useCompatibleNetworks(): CompatibleNetworks {
  const latchkey = useLatchkey()
  const account = useAccount()
  const { network: active, networks } = useNetwork()
  const type = account.status === 'connected' ? account.type : undefined
  const kind = type === 'smartAccount' ? 'smartAccount' : type === 'eoa' ? 'key' : 'unknown'
  const [smart, setSmart] = useState<readonly string[]>()
  useEffect(() => {
    if (kind !== 'smartAccount') return
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
  }, [latchkey, kind])
  const exists = ({ caipNetworkId }: Network): boolean =>
    kind !== 'smartAccount' || (smart ?? []).includes(caipNetworkId.slice(caipNetworkId.indexOf(':') + 1))
  const family = networks.filter(({ chainNamespace }) => chainNamespace === active?.chainNamespace)
  const others = family.filter(({ caipNetworkId }) => caipNetworkId !== active?.caipNetworkId)
  return {
    kind,
    networks: [...(active ? [active] : []), ...others].filter(exists),
    active,
    isValidHere: active === undefined || (kind === 'smartAccount' && smart === undefined) || exists(active),
  }
}
