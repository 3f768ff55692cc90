import type { Eip1193Provider } from '@latchkey/core/adapter'
import type { Namespace } from '@latchkey/protocol/caip'
import { selectConnection } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** The type of the provider in a namespace. */
export type ProviderOf<N extends Namespace> = N extends 'eip155' ? Eip1193Provider : unknown

/**
 * Returns the connected wallet's provider, for use with ethers, viem, web3.js and other libraries.
 *
 * @example const provider = useProvider('eip155') // Eip1193Provider | undefined
 */
export function useProvider<N extends Namespace = 'eip155'>(namespace: N = 'eip155' as N): ProviderOf<N> | undefined {
  const latchkey = useLatchkey()
  const connected = useStore((state) => selectConnection(state, namespace)?.status === 'connected')
  // The wallet can change while the status stays "connected". Selecting the connector ID triggers a re-render.
  useStore((state) => {
    const now = selectConnection(state, namespace)
    return now?.status === 'connected' ? now.connectorId : undefined
  })
  return connected ? (latchkey.session(namespace)?.provider as ProviderOf<N> | undefined) : undefined
}
