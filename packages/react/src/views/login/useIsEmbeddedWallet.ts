import { useStore } from '../../hooks/useStore.ts'
import { selectWallet } from '../../selectors.ts'

/** Whether the embedded wallet is connected. */
export function useIsEmbeddedWallet(): boolean {
  return useStore((state) => selectWallet(state)?.type === 'AUTH')
}
