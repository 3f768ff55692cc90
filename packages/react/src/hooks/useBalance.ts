import type { QueryResult } from '@latchkey/core'
import type { NativeBalance } from '@latchkey/core/adapter'
import { useEffect } from 'react'
import { selectAccount } from '../selectors.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/**
 * Returns the active account's exact native balance in base units. The balance is only fetched while `enabled` is true.
 *
 * @example
 * const balance = useBalance()
 * if (balance.status === 'ready') formatUnits(balance.value.value, balance.value.decimals)
 */
export function useBalance({ enabled = true }: { readonly enabled?: boolean } = {}): QueryResult<NativeBalance> {
  const latchkey = useLatchkey()
  // The account ID includes the chain, so the balance is refetched when either the address or the chain changes.
  const account = useStore((state) => {
    const now = selectAccount(state)
    return now.status === 'connected' ? now.account : undefined
  })
  useEffect(() => {
    if (!enabled || account === undefined) return
    // The error is available in the balance state.
    latchkey.refresh().catch(() => undefined)
  }, [latchkey, enabled, account])
  return useStore((state) => state.account.balance)
}
