import type { ApprovalContext } from '../approvalViewModel.ts'
import type { OpenedWallet } from '../embeddedWallet.ts'
import type { WalletAccount } from '../walletAccounts.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

/**
 * What stands around an approval: who asks, where, with which account (its key, unless another is named), and whether that account could
 * be lost with one thing.
 */
export function approvalContextOf(
  { origin, chain }: Pick<WalletRpcRequest, 'origin' | 'chain'>,
  wallet: OpenedWallet,
  activeAccount?: WalletAccount,
): ApprovalContext {
  const key = chain.startsWith('solana:') ? wallet.addresses.solana : wallet.addresses.eip155
  return {
    origin,
    chain,
    account: activeAccount?.address ?? key,
    isContract: activeAccount?.type === 'smartAccount',
    protecting: wallet.single ? wallet.protecting : undefined,
  }
}
