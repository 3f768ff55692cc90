import { type Client, TransactionReceiptNotFoundError } from 'viem'
import { getTransactionReceipt } from 'viem/actions'

/** Reads whether a transaction is in a block, and whether it was reverted. A transaction without a receipt is pending. */
export async function readTransactionStatus(client: Client, hash: string): Promise<'pending' | 'done' | 'failed'> {
  try {
    const { status } = await getTransactionReceipt(client, { hash: hash as `0x${string}` })
    return status === 'success' ? 'done' : 'failed'
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return 'pending'
    throw error
  }
}
