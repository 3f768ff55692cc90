import { useStore } from '../../hooks/useStore.ts'
import { walletOf } from '../../select.ts'

/** Whether the visitor is connected through an account of this very wallet. */
export function useEmbedded(): boolean {
  return useStore((state) => walletOf(state)?.type === 'AUTH')
}
