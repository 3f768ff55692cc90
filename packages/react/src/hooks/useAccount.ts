import type { Namespace } from '@latchkey/protocol/caip'
import { type Account, isShallowEqual, selectAccount } from '../selectors.ts'
import { useStore } from './useStore.ts'

/**
 * Who is connected: with `namespace` there, else where the visitor is active.
 *
 * @example
 * const account = useAccount('eip155')
 * if (account.status === 'connected') account.address // a string, not maybe
 */
export function useAccount<N extends Namespace = Namespace>(namespace?: N): Account<N> {
  return useStore((state) => selectAccount<N>(state, namespace), isShallowEqual)
}
