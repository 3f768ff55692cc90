import type { Namespace } from '@latchkey/protocol/caip'
import { type Account, isShallowEqual, selectAccount } from '../selectors.ts'
import { useStore } from './useStore.ts'

/**
 * Returns the account in `namespace`, or the active account if `namespace` is omitted.
 *
 * @example
 * const account = useAccount('eip155')
 * if (account.status === 'connected') account.address // string, not undefined
 */
export function useAccount<N extends Namespace = Namespace>(namespace?: N): Account<N> {
  return useStore((state) => selectAccount<N>(state, namespace), isShallowEqual)
}
