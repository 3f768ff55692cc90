import type { QueryState } from '@latchkey/core'
import type { NativeBalance } from '@latchkey/core/adapter'
import { useEffect } from 'react'
import { selectAccount } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** The native balance of the active account, exact, in base units; asked for while somebody looks at it. */
export function useBalance({ enabled = true }: { readonly enabled?: boolean } = {}): QueryState<NativeBalance> {
  const latchkey = useLatchkey()
  // Chain and account in one key: either one changing asks anew.
  const account = useStore((state) => {
    const now = selectAccount(state)
    return now.status === 'connected' ? now.account : undefined
  })
  useEffect(() => {
    if (!enabled || account === undefined) return
    // A failure is told by the reading itself.
    latchkey.refresh().catch(() => undefined)
  }, [latchkey, enabled, account])
  return useStore((state) => state.account.balance)
}
