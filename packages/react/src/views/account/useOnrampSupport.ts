import type { ChainId } from '@latchkey/protocol/caip'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { hasServer } from './walletFeatures.ts'

/**
 * Returns whether tokens can be bought on `chain`. The result is only `false` if the server has responded that it has no
 * provider or does not support the chain. Sends no request if buying is disabled.
 */
export function useOnrampSupport(chain: ChainId | undefined): boolean {
  const latchkey = useLatchkey()
  const [unsupported, setUnsupported] = useState<ChainId>()
  const { options } = latchkey
  const asks = chain !== undefined && hasServer(options) && options.features?.onramp !== false
  useEffect(() => {
    if (!asks) return
    let unmounted = false
    latchkey
      .onramp()
      .then((onramp) => onramp?.supported())
      .then(
        (isSupported) => {
          if (!unmounted) setUnsupported(isSupported === false ? chain : undefined)
        },
        () => undefined,
      )
    return () => {
      unmounted = true
    }
  }, [latchkey, asks, chain])
  return unsupported === undefined || unsupported !== chain
}
