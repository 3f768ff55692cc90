import { useStore } from '../../hooks/useStore.ts'
import { selectWallet } from '../../selectors.ts'

/** Whether the visitor is connected through an account of this very wallet. */
export function useIsEmbeddedWallet(): boolean {
  return useStore((state) => selectWallet(state)?.type === 'AUTH')
}
