import type { ChainId } from '@latchkey/protocol/caip'
import { hexToBigInt, isHex, toHex } from 'viem'
import type { Quote } from '../approvals/approvalViewModel.ts'
import { analyzeCalls } from '../decoders/analyzeCalls.ts'
import type { Call } from '../decoders/decodeCall.ts'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { feesNow } from '../networks/gasFees.ts'
import { PublicError, publicErrorMessage } from '../publicError.ts'

/** The values needed to sign transactions, and the information that the user needs before approving them. */
export interface PreparedTransactions extends Quote {
  readonly nonce: number
  readonly gas: readonly bigint[]
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Whether the network has no EIP-1559 support and therefore uses a single gas price. */
  readonly legacy: boolean
}

/** The nonce of the pending transaction to replace, and the minimum gas price at which the network accepts the replacement. */
export interface ReplacedTransaction {
  readonly nonce: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** How many times the network's usual gas price a replacement can have. Protects users from pages that waste their funds. */
const maxFeeFactor = 10n

/**
 * Estimates the cost and simulates the effects of `calls`, which are executed in sequence. With `replaced`, the transaction
 * replaces the pending transaction that has the given nonce, if there is one.
 */
export async function prepareTransactions(
  rpc: ChainRpcClient,
  {
    chain,
    from,
    calls,
    replaced,
  }: {
    chain: ChainId
    from: string
    calls: readonly Call[]
    replaced?: ReplacedTransaction | undefined
  },
): Promise<PreparedTransactions> {
  const quantity = async (method: string, params: unknown): Promise<bigint> => {
    const response = await rpc<unknown>(chain, method, params)
    if (!isHex(response)) throw new Error(`${method}: not a number`)
    return hexToBigInt(response)
  }
  const transactions = calls.map(({ to, value, data }) => ({ from, ...(to && { to }), value: toHex(value), data }))
  let willFail: string | undefined
  const estimate = (transaction: (typeof transactions)[number]): Promise<bigint> =>
    // The pending transaction that is replaced has no effect on the estimate.
    quantity('eth_estimateGas', replaced ? [transaction, 'latest'] : [transaction]).then(
      // Adds a 10% margin, because the state can change before the transaction is included.
      (gas) => (gas === 21_000n ? gas : (gas * 110n) / 100n),
      (error: unknown) => {
        willFail ??= publicErrorMessage(error)
        return 500_000n
      },
    )
  const [pending, executed, balance, current, gas, understanding] = await Promise.all([
    quantity('eth_getTransactionCount', [from, 'pending']),
    replaced ? quantity('eth_getTransactionCount', [from, 'latest']) : 0n,
    quantity('eth_getBalance', [from, 'latest']),
    feesNow(rpc, chain),
    // A later call can depend on an earlier one, so a failed estimate is only conclusive if there is a single call.
    Promise.all(transactions.map(estimate)),
    analyzeCalls(rpc, { chain, account: from, calls }),
  ])
  if (transactions.length > 1) willFail = undefined
  if (replaced && replaced.nonce < executed)
    throw new PublicError('The transaction to replace has already been executed')
  // The node does not know an earlier transaction. If the next nonce were used instead, this transaction would be sent in
  // addition to the one that it is meant to replace.
  if (replaced && replaced.nonce > pending)
    throw new PublicError('An earlier transaction of the account is missing on the network. Try again later')
  const replaces = replaced !== undefined && replaced.nonce < pending
  const nonce = replaces ? replaced.nonce : pending
  const fees = replaces ? raisedFees(current, replaced) : current
  const fee = gas.reduce((sum, item) => sum + item, 0n) * fees.maxFeePerGas
  return { nonce: Number(nonce), gas, ...fees, fee, balance, willFail, ...(replaces && { replaces }), ...understanding }
}

/** Returns the network's fees, or the requested fees of the replacement if they are higher. */
function raisedFees<Fees extends Pick<PreparedTransactions, 'maxFeePerGas' | 'maxPriorityFeePerGas'>>(
  current: Fees,
  { maxFeePerGas, maxPriorityFeePerGas }: ReplacedTransaction,
): Fees {
  const highest = (one: bigint, other: bigint): bigint => (one > other ? one : other)
  // The tip is paid in full, and the maximum is at least the tip.
  if (highest(maxFeePerGas, maxPriorityFeePerGas) > current.maxFeePerGas * maxFeeFactor)
    throw new PublicError('The requested fee is much higher than the fees on this network')
  const tip = highest(current.maxPriorityFeePerGas, maxPriorityFeePerGas)
  return {
    ...current,
    maxFeePerGas: highest(highest(current.maxFeePerGas, maxFeePerGas), tip),
    maxPriorityFeePerGas: tip,
  }
}
