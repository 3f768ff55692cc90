import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { coinbaseWalletIds, phantomWalletId } from '@latchkey/protocol/specificationConstants'

/**
 * Returns `wallets` without duplicates. On mobile, also omits wallets that have neither a mobile link nor a known in-app browser.
 */
export function openableWallets(
  wallets: readonly Wallet[],
  { isMobile, chains }: { readonly isMobile: boolean; readonly chains: readonly ChainId[] },
): readonly Wallet[] {
  const unique = wallets.filter((wallet, at) => wallets.findIndex(({ id }) => id === wallet.id) === at)
  if (!isMobile) return unique
  const onSolana = chains.some((chain) => namespaceOf(chain) === 'solana')
  return unique.filter(
    ({ id, mobile_link }) =>
      mobile_link || (coinbaseWalletIds as readonly string[]).includes(id) || (onSolana && id === phantomWalletId),
  )
}
