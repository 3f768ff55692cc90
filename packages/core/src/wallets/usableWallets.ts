import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import { coinbaseWalletIds, phantomWalletId } from '@latchkey/protocol/constants'
import type { Wallet } from '@latchkey/protocol/http/contract'

/** Each wallet once, and on a phone only those that can be opened from one: by a mobile link, or by an in-app browser that we know. */
export function usableWallets(
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
