import { createPublicClient } from 'viem'
import { type Ask, viemChain, viemTransport } from './networks.ts'
import { sentenceOf } from './sentence.ts'
import type { Asked } from './task.ts'

/** What the network says of a transaction before it is signed. */
export type Preview = { readonly fee: bigint } | { readonly fails: string }

/** Asks the network what a transaction would cost at most, or why it would fail. */
export async function previewOf(
  { account, network, transaction }: Extract<Asked, { do: 'sendTransaction' | 'signTransaction' }>,
  ask: Ask,
): Promise<Preview> {
  const client = createPublicClient({ chain: viemChain(network), transport: viemTransport(network, ask) })
  const { to, value, data } = transaction
  try {
    const [gas, { maxFeePerGas }] = await Promise.all([
      transaction.gas ?? client.estimateGas({ account: account.evm.address, to, value, data }),
      client.estimateFeesPerGas(),
    ])
    return { fee: gas * (transaction.maxFeePerGas ?? transaction.gasPrice ?? maxFeePerGas) }
  } catch (error) {
    return { fails: sentenceOf(error) }
  }
}
