import type { ChainId } from '@latchkey/protocol/caip'
import { hexToBigInt, isHex, toHex } from 'viem'
import type { Quote } from '../approvals/approvalViewModel.ts'
import { analyzeCalls } from '../decoders/analyzeCalls.ts'
import type { Call } from '../decoders/decodeCall.ts'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { feesNow } from '../networks/gasFees.ts'
import { publicErrorMessage } from '../publicError.ts'

/** The values needed to sign transactions, and the information that the user needs before approving them. */
export interface PreparedTransactions extends Quote {
  readonly nonce: number
  readonly gas: readonly bigint[]
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Whether the network has no EIP-1559 support and therefore uses a single gas price. */
  readonly legacy: boolean
}

/** Estimates the cost and simulates the effects of `calls`, which are executed in sequence. */
export async function prepareTransactions(
  rpc: ChainRpcClient,
  { chain, from, calls }: { chain: ChainId; from: string; calls: readonly Call[] },
): Promise<PreparedTransactions> {
  const quantity = async (method: string, params: unknown): Promise<bigint> => {
    const response = await rpc<unknown>(chain, method, params)
    if (!isHex(response)) throw new Error(`${method}: not a number`)
    return hexToBigInt(response)
  }
  const transactions = calls.map(({ to, value, data }) => ({ from, ...(to && { to }), value: toHex(value), data }))
  let willFail: string | undefined
  const estimate = (transaction: (typeof transactions)[number]): Promise<bigint> =>
    quantity('eth_estimateGas', [transaction]).then(
      // Adds a 10% margin, because the state can change before the transaction is included.
      (gas) => (gas === 21_000n ? gas : (gas * 110n) / 100n),
      (error: unknown) => {
        willFail ??= publicErrorMessage(error)
        return 500_000n
      },
    )
  const [nonce, balance, fees, gas, understanding] = await Promise.all([
    quantity('eth_getTransactionCount', [from, 'pending']),
    quantity('eth_getBalance', [from, 'latest']),
    feesNow(rpc, chain),
    // A later call can depend on an earlier one, so a failed estimate is only conclusive if there is a single call.
    Promise.all(transactions.map(estimate)),
    analyzeCalls(rpc, { chain, account: from, calls }),
  ])
  if (transactions.length > 1) willFail = undefined
  const fee = gas.reduce((sum, item) => sum + item, 0n) * fees.maxFeePerGas
  return { nonce: Number(nonce), gas, ...fees, fee, balance, willFail, ...understanding }
}
