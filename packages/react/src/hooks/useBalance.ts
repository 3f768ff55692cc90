import type { QueryResult } from '@latchkey/core'
import type { NativeBalance } from '@latchkey/core/adapter'
import { useEffect } from 'react'
import { selectAccount } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/**
 * Returns the exact native balance of the active account in base units. Fetched while `enabled`.
 *
 * @example
 * const balance = useBalance()
 * if (balance.status === 'ready') formatUnits(balance.value.value, balance.value.decimals)
 */
export function useBalance({ enabled = true }: { readonly enabled?: boolean } = {}): QueryResult<NativeBalance> {
  const latchkey = useLatchkey()
  // The account ID contains the chain, so a change of either refetches the balance.
  const account = useStore((state) => {
    const now = selectAccount(state)
    return now.status === 'connected' ? now.account : undefined
  })
  useEffect(() => {
    if (!enabled || account === undefined) return
    // The balance state contains the error.
    latchkey.refresh().catch(() => undefined)
  }, [latchkey, enabled, account])
  return useStore((state) => state.account.balance)
}
