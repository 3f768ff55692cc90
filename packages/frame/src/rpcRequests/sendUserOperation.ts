import type { Hex } from 'viem'
import { approvalContextOf } from '../approvals/approvalContext.ts'
import type { Call } from '../decoders/decodeCall.ts'
import type { FrameContext } from '../frameContext.ts'
import { withPermission } from '../permissions/withPermission.ts'
import type { PreparedUserOperation } from '../smartAccount/prepareUserOperation.ts'
import {
  createPageBundler,
  createUserOperationSender,
  type NamedPaymaster,
  waitForTransaction,
} from '../smartAccount/userOperationSender.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { WalletAccount } from '../wallet/walletAccounts.ts'
import type { CallBatch } from './callBatch.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

/** The result of sending calls as one user operation. */
export interface SentUserOperation {
  readonly operation: Hex
  /** The hash of the transaction that includes the operation, if `wait` was set. */
  readonly transaction?: Hex
}

/** Sends `calls` as one user operation after the user approves them. */
export async function sendUserOperation(
  context: FrameContext,
  wallet: OpenedWallet,
  {
    request,
    account,
    calls,
    paymaster,
    wait = false,
  }: {
    request: WalletRpcRequest
    account: WalletAccount
    calls: readonly Call[]
    paymaster?: NamedPaymaster | undefined
    /** Whether to wait until a transaction includes the operation. */
    wait?: boolean
  },
): Promise<SentUserOperation> {
  const { prepare, perform: send } = createUserOperationSender(context, wallet, { request, account, calls, paymaster })
  const perform = async (prepared: PreparedUserOperation): Promise<SentUserOperation> => {
    const operation = await send(prepared)
    return wait
      ? { operation, transaction: await waitForTransaction(createPageBundler(request), operation) }
      : { operation }
  }
  const wanted = { request, userId: wallet.userId, account: account.address, calls, prepare, perform }
  return withPermission(context, wanted, () =>
    context.approvals.ask({
      id: request.id,
      subject: { kind: 'calls', setting: approvalContextOf(request, wallet, account), calls, isOne: true, prepare },
      perform,
    }),
  )
}

/** Resolves to the EIP-5792 status of an operation, or to `undefined` if no transaction includes the operation yet. */
export async function getUserOperationStatus({
  chain,
  operation,
}: Extract<CallBatch, { operation: Hex }>): Promise<{ status: 200 | 500; receipts: readonly unknown[] } | undefined> {
  const found = await createPageBundler({ chain, origin: '' }).receipt(operation)
  if (!found) return undefined
  const { blockHash, blockNumber, gasUsed, transactionHash } = found.receipt
  const status = found.success ? '0x1' : '0x0'
  // The transaction can include other users' operations, so only this operation's logs are returned.
  const receipt = { logs: found.logs, status, blockHash, blockNumber, gasUsed, transactionHash }
  return { status: found.success ? 200 : 500, receipts: [receipt] }
}
