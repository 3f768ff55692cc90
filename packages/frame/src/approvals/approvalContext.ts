import type { ApprovalContext } from '../approvalViewModel.ts'
import type { OpenedWallet } from '../embeddedWallet.ts'
import type { WalletAccount } from '../walletAccounts.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

/**
 * Returns the context of an approval: the requesting origin, the network, the account (the EOA by default), and the backup
 * options if the wallet has only one key.
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
