import type { Clock } from '@latchkey/protocol/clock'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import {
  type CheckedTransaction,
  checkApproval,
  checkSwap,
  type SwapChecks,
  type SwapRequest,
} from './checkSwapTransaction.ts'
import { quoteOf } from './swapAmounts.ts'
import type { SwapApiClient } from './swapApiClient.ts'
import type { SwapQuote, SwapToken, UnverifiedPart } from './swapTypes.ts'

/** How long a quote or a transaction can be used, in milliseconds. */
export const quoteLifeMs = 30_000
/** The gas of an approval. */
const approvalGas = 60_000n

/** A swap whose transactions have been built and checked. */
export interface PreparedSwap {
  /** The quote of the swap transaction. */
  readonly quote: SwapQuote
  /** The next transaction. */
  readonly step: 'reset' | 'approve' | 'swap'
  readonly transaction: CheckedTransaction
  /** The address of the exchange's contract. */
  readonly contract: string
  /** The parts that could not be verified. See `SwapReview.unverified`. */
  readonly unverified: readonly UnverifiedPart[]
  /** When the transaction expires, in epoch milliseconds. */
  readonly expiresAt: number
}

/**
 * Builds the transactions of a swap, and checks them. An approval is built if the allowance is too small.
 *
 * @throws {LatchkeyError} `swap/mismatch` if a transaction is not the requested one, or the reason why it cannot be built.
 */
export async function buildSwapTransactions(
  { server, clock }: { readonly server: SwapApiClient; readonly clock: Clock },
  {
    request,
    contract,
    native,
    exchanges,
    tokens,
    signal,
  }: Pick<SwapChecks, 'exchanges' | 'tokens'> & {
    readonly request: SwapRequest
    /** The contract of an earlier transaction of the same swap. */
    readonly contract: string | undefined
    readonly native: SwapToken | undefined
    readonly signal: AbortSignal
  },
): Promise<PreparedSwap> {
  const [allowance, tx] = await Promise.all([
    request.from.id === 'native' ? request.amount : server.allowance(request, signal),
    server.buildSwap(request, signal),
  ])
  const swap = checkSwap(tx, request, { now: clock.now(), exchanges, tokens })
  // The approved contract and the called contract must be the same, because only the approved one can spend the allowance.
  if (contract !== undefined && contract !== swap.to)
    throw accountFailure('swap/mismatch', { reason: 'its contract has changed' })
  const approval =
    allowance >= request.amount
      ? undefined
      : checkApproval(await server.buildApproval(request, signal), request, swap.to)
  const gas = BigInt(tx.eip155.gas) + (approval ? approvalGas : 0n)
  const at = clock.now()
  const quote = quoteOf({
    ...request,
    received: swap.received,
    minimum: swap.minimum,
    fee: tx.fee,
    networkFee: gas * BigInt(tx.eip155.gasPrice),
    native,
    at,
  })
  return {
    quote,
    step: approval ? (approval.isReset ? 'reset' : 'approve') : 'swap',
    transaction: approval ?? swap,
    contract: swap.to,
    unverified: [
      ...new Set([swap.unverified, request.from.unverified, request.to.unverified].flatMap((part) => part ?? [])),
    ],
    expiresAt: Math.min(at + quoteLifeMs, swap.expiresAt ?? Number.POSITIVE_INFINITY),
  }
}
