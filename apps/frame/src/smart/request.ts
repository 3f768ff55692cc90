import type { Hex } from 'viem'
import type { Account } from '../accounts.ts'
import type { House } from '../house.ts'
import { unlessGranted } from '../permissions/use.ts'
import type { Call } from '../readable/call.ts'
import type { RpcAsked } from '../requests/asked.ts'
import type { Batch } from '../requests/batch.ts'
import { settingOf } from '../requests/setting.ts'
import type { OpenWallet } from '../wallet.ts'
import type { PreparedOperation } from './operation.ts'
import { bundlerOf, type NamedPaymaster, operationDeed, transactionOf } from './send.ts'

/** What became of calls that were sent as one. */
export interface SentOperation {
  readonly operation: Hex
  /** The transaction that it became part of, where that was waited for. */
  readonly transaction?: Hex
}

/** Makes `calls` as one user operation, after a yes. */
export async function sendAsOperation(
  house: House,
  open: OpenWallet,
  {
    asked,
    account,
    calls,
    paymaster,
    wait = false,
  }: {
    asked: RpcAsked
    account: Account
    calls: readonly Call[]
    paymaster?: NamedPaymaster | undefined
    /** Whether to wait until it is part of a transaction. */
    wait?: boolean
  },
): Promise<SentOperation> {
  const { prepare, perform: send } = operationDeed(house, open, { asked, account, calls, paymaster })
  const perform = async (prepared: PreparedOperation): Promise<SentOperation> => {
    const operation = await send(prepared)
    return wait ? { operation, transaction: await transactionOf(bundlerOf(asked), operation) } : { operation }
  }
  const wanted = { asked, userId: open.userId, account: account.address, calls, prepare, perform }
  return unlessGranted(house, wanted, () =>
    house.approvals.ask({
      id: asked.id,
      subject: { kind: 'calls', setting: settingOf(asked, open, account), calls, isOne: true, prepare },
      perform,
    }),
  )
}

/** How far an operation is, in the numbers of EIP-5792; `undefined` while no transaction holds it. */
export async function operationStatus({
  chain,
  operation,
}: Extract<Batch, { operation: Hex }>): Promise<{ status: 200 | 500; receipts: readonly unknown[] } | undefined> {
  const found = await bundlerOf({ chain, origin: '' }).receipt(operation)
  if (!found) return undefined
  const { blockHash, blockNumber, gasUsed, transactionHash } = found.receipt
  const status = found.success ? '0x1' : '0x0'
  // The transaction may hold operations of strangers: of its logs, these are ours.
  const receipt = { logs: found.logs, status, blockHash, blockNumber, gasUsed, transactionHash }
  return { status: found.success ? 200 : 500, receipts: [receipt] }
}
