import { useStore } from '../../hooks/useStore.ts'
import { selectWallet } from '../../selectors.ts'

/** Whether the user is connected through the embedded wallet. */
export function useIsEmbeddedWallet(): boolean {
  return useStore((state) => selectWallet(state)?.type === 'AUTH')
}
