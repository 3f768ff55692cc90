import type { Hex, Transaction, TransactionSerializable } from 'viem'
import { formatTransaction, keccak256, numberToHex, recoverAddress, serializeTransaction } from 'viem/utils'

/** The content of a transaction that its sender has signed. */
export interface SignedTransaction {
  readonly to: string | null
  readonly nonce: number
  readonly value: bigint
  readonly data: string
  readonly fees:
    | { readonly gasPrice: bigint }
    | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
}

/**
 * Returns the content of a transaction from a node, or `undefined` unless the content matches the hash and the sender has
 * signed it. A node therefore cannot change the recipient, the amount, the nonce or the fees. Also returns `undefined` for blob
 * transactions, delegations (EIP-7702) and chain-specific types.
 */
export async function readSignedTransaction(
  found: unknown,
  { hash, sender }: { readonly hash: string; readonly sender: string },
): Promise<SignedTransaction | undefined> {
  try {
    const { r, s, v, yParity: _, input, ...transaction } = formatTransaction(found as never) as Transaction
    const { type, to, nonce, value, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction
    if (type !== 'legacy' && type !== 'eip2930' && type !== 'eip1559') return undefined
    const content = { ...transaction, data: input } as TransactionSerializable
    // Nodes omit leading zeros. With a chain ID, `v` is 35 or more (EIP-155).
    const signature = { r: word(r), s: word(s), v, yParity: Number(v >= 35n ? (v - 35n) % 2n : v >= 27n ? v - 27n : v) }
    if (keccak256(serializeTransaction(content, signature)) !== hash.toLowerCase()) return undefined
    const signer = await recoverAddress({ hash: keccak256(serializeTransaction(content)), signature })
    if (signer.toLowerCase() !== sender.toLowerCase()) return undefined
    const fees =
      type === 'eip1559'
        ? { maxFeePerGas: maxFeePerGas ?? 0n, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n }
        : { gasPrice: gasPrice ?? 0n }
    return { to, nonce: nonce ?? 0, value: value ?? 0n, data: input, fees }
  } catch {
    // The node returned something other than a transaction.
    return undefined
  }
}

function word(value: Hex): Hex {
  return numberToHex(BigInt(value), { size: 32 })
}
