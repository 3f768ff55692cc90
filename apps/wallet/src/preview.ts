import { balanceText } from '@latchkey/protocol/amount'
import { createPublicClient } from 'viem'
import { type Ask, viemChain, viemTransport } from './networks.ts'
import { sentenceOf } from './sentence.ts'
import type { Asked } from './task.ts'

/** What the network says of a transaction before it is signed. */
export type Preview = { readonly fee: bigint } | { readonly fails: string }

/** Asks the network what a transaction would cost at most, or why it would fail. The sentence is for the visitor. */
export async function previewOf(
  { account, network, transaction }: Extract<Asked, { do: 'sendTransaction' | 'signTransaction' }>,
  ask: Ask,
): Promise<Preview> {
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
    return { fails: sentenceOf(error) }
  }
}
