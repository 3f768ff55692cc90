import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { toQuantity } from './chainId.ts'

const quantity = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{1,64}$/i),
  v.transform((value) => BigInt(value)),
)
const address = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/i))
const pendingTransaction = v.object({
  from: address,
  to: v.nullish(address),
  nonce: quantity,
  value: quantity,
  input: v.pipe(v.string(), v.maxLength(300_000), v.regex(/^0x([0-9a-f]{2})*$/i)),
  gasPrice: v.nullish(quantity),
  maxFeePerGas: v.nullish(quantity),
  maxPriorityFeePerGas: v.nullish(quantity),
  blockNumber: v.nullish(v.string()),
})

/**
 * Returns the transaction that replaces a pending one: the same with a gas price that is 12.5 % higher, or with `cancels` a payment of
 * nothing to the sender. Nodes accept replacements from 10 %.
 *
 * @throws {LatchkeyError} `send/not-pending` if the node knows no such pending transaction of the sender.
 */
export function replacementOf(
  found: unknown,
  { sender, cancels }: { readonly sender: string; readonly cancels: boolean },
): Readonly<Record<string, string>> {
  const pending = read(pendingTransaction, found)
  if (!pending || pending.blockNumber || pending.from.toLowerCase() !== sender.toLowerCase())
    throw accountFailure('send/not-pending')
  const { to, nonce, value, input, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = pending
  const fees =
    maxFeePerGas && maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas !== null
      ? { maxFeePerGas: raised(maxFeePerGas), maxPriorityFeePerGas: raised(maxPriorityFeePerGas) }
      : { gasPrice: raised(gasPrice ?? 0n) }
  const call = cancels
    ? { to: sender, value: '0x0', data: '0x' }
    : { ...(to && { to }), value: toQuantity(value), data: input }
  return { ...call, nonce: toQuantity(nonce), ...fees }
}

function raised(fee: bigint): string {
  return toQuantity((fee * 1125n) / 1000n + 1n)
}
