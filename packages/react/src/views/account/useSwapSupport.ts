import type { ChainId } from '@latchkey/protocol/caip'
import { swapNetworks } from '@latchkey/protocol/specificationConstants'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { hasServer } from './walletFeatures.ts'

/**
 * Returns whether the server supports swaps on a `chain` that is not in `swapNetworks`. `false` until the server has responded.
 * Sends no request for chains in `swapNetworks`, for other chain families, or if swaps are disabled.
 */
export function useSwapSupport(chain: ChainId | undefined): boolean {
  const latchkey = useLatchkey()
  const [supported, setSupported] = useState<ChainId>()
  const { options } = latchkey
  const asks =
    chain?.startsWith('eip155:') === true &&
    !swapNetworks.includes(chain) &&
    hasServer(options) &&
    options.features?.swaps !== false
  useEffect(() => {
    if (!asks) return
    let unmounted = false
    latchkey
      .swap()
      .then((swap) => swap?.supported())
      .then(
        (isSupported) => {
          if (!unmounted) setSupported(isSupported ? chain : undefined)
        },
        () => undefined,
      )
    return () => {
      unmounted = true
    }
  }, [latchkey, asks, chain])
  return asks && supported === chain
}
