import type { WalletRpcRequest } from '../rpcRequests/walletRpcRequest.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { WalletAccount } from '../wallet/walletAccounts.ts'
import type { ApprovalContext } from './approvalViewModel.ts'

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
