import { type Address, type Client, type Hash, TransactionNotFoundError, TransactionReceiptNotFoundError } from 'viem'
import { getTransaction, getTransactionCount, getTransactionReceipt } from 'viem/actions'

/**
 * Reads whether a transaction is in a block, and whether it was reverted. A transaction without a receipt is pending, or
 * replaced if the sender's transaction with the same nonce is in a block.
 */
export async function readTransactionStatus(
  client: Client,
  {
    hash,
    sent,
  }: { readonly hash: string; readonly sent?: { readonly by: string; readonly nonce: number } | undefined },
): Promise<'pending' | 'done' | 'failed' | 'replaced'> {
  const first = await readReceipt(client, hash)
  if (first || !sent) return first ?? 'pending'
  const count = await getTransactionCount(client, { address: sent.by as Address, blockTag: 'latest' })
  if (count <= sent.nonce) return 'pending'
  // The transaction might have been included since the receipt was read.
  return (await readReceipt(client, hash)) ?? 'replaced'
}

async function readReceipt(client: Client, hash: string): Promise<'done' | 'failed' | undefined> {
  try {
    const { status } = await getTransactionReceipt(client, { hash: hash as Hash })
    return status === 'success' ? 'done' : 'failed'
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** Reads the nonce of a transaction. `undefined` if the node does not know the transaction, or if `sender` did not send it. */
export async function readTransactionNonce(
  client: Client,
  { hash, sender }: { readonly hash: string; readonly sender: string },
): Promise<number | undefined> {
  try {
    const { from, nonce } = await getTransaction(client, { hash: hash as Hash })
    return from.toLowerCase() === sender.toLowerCase() ? nonce : undefined
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined
    throw error
  }
}
