import { balanceText } from '@latchkey/protocol/amount'
import { createPublicClient } from 'viem'
import { errorCopy } from './errorCopy.ts'
import { type Ask, viemChain, viemTransport } from './networks.ts'
import type { ApprovableRequest } from './parsedRequest.ts'

/** What the network says of a transaction before it is signed. */
export type TransactionPreview = { readonly fee: bigint } | { readonly fails: string }

/** Asks the network what a transaction would cost at most, or why it would fail. The sentence is for the visitor. */
export async function previewTransaction(
  { account, network, transaction }: Extract<ApprovableRequest, { type: 'sendTransaction' | 'signTransaction' }>,
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
    // Not every node counts what is there when it estimates.
    if ((value ?? 0n) + fee > balance) {
      const { symbol, decimals } = network.currency
      return {
        fails: `The account has ${balanceText(balance, decimals)} ${symbol}, which is less than that and the fee.`,
      }
    }
    return { fee }
  } catch (error) {
    return { fails: errorCopy(error) }
  }
}
