import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { toQuantity } from './chainId.ts'
import { readSignedTransaction } from './viem/signedTransaction.ts'

/**
 * Resolves to the transaction that replaces a pending one: the same transaction or, with `cancels`, a zero payment to the
 * sender, with 12.5% higher fees. Nodes accept replacements with fees that are at least 10% higher.
 *
 * @throws {LatchkeyError} `send/not-pending` if the node returned no pending transaction, and `send/not-verified` if the
 * returned transaction does not have the hash, is not signed by the sender, or has an unsupported type.
 */
export async function replacementOf(
  found: unknown,
  { hash, sender, cancels }: { readonly hash: string; readonly sender: string; readonly cancels: boolean },
): Promise<Readonly<Record<string, string>>> {
  if (typeof found !== 'object' || found === null || ('blockNumber' in found && found.blockNumber))
    throw accountFailure('send/not-pending')
  const pending = await readSignedTransaction(found, { hash, sender })
  if (!pending) throw accountFailure('send/not-verified')
  const { to, nonce, value, data, fees } = pending
  const call = cancels
    ? { to: sender, value: '0x0', data: '0x' }
    : { ...(to && { to }), value: toQuantity(value), data }
  const raisedFees = Object.fromEntries(Object.entries(fees).map(([name, fee]) => [name, raised(fee)]))
  return { ...call, nonce: toQuantity(BigInt(nonce)), ...raisedFees }
}

function raised(fee: bigint): string {
  return toQuantity((fee * 1125n) / 1000n + 1n)
}
