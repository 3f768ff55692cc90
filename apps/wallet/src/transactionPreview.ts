import { balanceText } from '@latchkey/protocol/amount'
import { createPublicClient } from 'viem'
import type { ApprovalRequest } from './approvalRequest.ts'
import { errorText } from './errorText.ts'
import { type Ask, viemChain, viemTransport } from './networks.ts'

/** The estimated maximum fee of a transaction, or a user-facing reason why the transaction would fail. */
export type TransactionPreview = { readonly fee: bigint } | { readonly fails: string }

/** Estimates the maximum fee of a transaction. If the estimate fails or the balance is too low, resolves to the reason. */
export async function previewTransaction(
  { account, network, transaction }: Extract<ApprovalRequest, { type: 'sendTransaction' | 'signTransaction' }>,
  ask: Ask,
): Promise<TransactionPreview> {
  const client = createPublicClient({ chain: viemChain(network), transport: viemTransport(network, ask) })
  const { to, value, data } = transaction
  try {
    const { address } = account.evm
    const [gas, { maxFeePerGas }, balance] = await Promise.all([
      transaction.gas ?? client.estimateGas({ account: address, to, value, data }),
      client.estimateFeesPerGas(),
      client.getBalance({ address }),
    ])
    const fee = gas * (transaction.maxFeePerGas ?? transaction.gasPrice ?? maxFeePerGas)
    // Some nodes do not check the balance when they estimate gas.
    if ((value ?? 0n) + fee > balance) {
      const { symbol, decimals } = network.currency
      return {
        fails: `The account has ${balanceText(balance, decimals)} ${symbol}, which is less than the amount and the fee.`,
      }
    }
    return { fee }
  } catch (error) {
    return { fails: errorText(error) }
  }
}
