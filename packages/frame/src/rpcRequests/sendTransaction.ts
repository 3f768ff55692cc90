import { eip155Signer } from '@latchkey/vault/signers/eip155'
import * as v from 'valibot'
import { type Hex, isHex, type TransactionSerializable } from 'viem'
import { approvalContextOf } from '../approvals/approvalContext.ts'
import type { Call } from '../decoders/decodeCall.ts'
import type { FrameContext } from '../frameContext.ts'
import { withPermission } from '../permissions/withPermission.ts'
import { PublicError } from '../publicError.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { resolveAccount } from '../wallet/walletAccounts.ts'
import { type PreparedTransactions, prepareTransactions } from './prepareTransactions.ts'
import { rejectSelfCalls } from './rejectSelfCalls.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

const address = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/i))
const quantity = v.pipe(
  v.union([
    v.pipe(v.string(), v.regex(/^(0x[0-9a-f]{1,64}|\d{1,78})$/i)),
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  ]),
  v.transform((value) => BigInt(value)),
)
const bytes = v.pipe(v.string(), v.maxLength(300_000), v.regex(/^0x([0-9a-f]{2})*$/i))

/** A call in a JSON-RPC request. */
export const callSchema = v.object({
  to: v.nullish(address),
  value: v.nullish(quantity),
  data: v.nullish(bytes),
  input: v.nullish(bytes),
})
const paramsSchema = v.looseTuple([
  v.object({
    ...callSchema.entries,
    from: v.optional(address),
    chainId: v.optional(quantity),
    nonce: v.nullish(quantity),
    gasPrice: v.nullish(quantity),
    maxFeePerGas: v.nullish(quantity),
    maxPriorityFeePerGas: v.nullish(quantity),
  }),
])

/**
 * Handles `eth_sendTransaction`. Sends one transaction. The wallet sets the nonce, gas limit and gas price. A page can only set
 * the nonce to replace one of the account's pending transactions, and can then also raise the gas price.
 */
export async function sendTransaction(
  context: FrameContext,
  open: OpenedWallet,
  request: WalletRpcRequest,
): Promise<string> {
  const parsed = v.safeParse(paramsSchema, request.params)
  if (!parsed.success) throw new PublicError('eth_sendTransaction: Expected a transaction')
  const [{ from, chainId, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...response }] = parsed.output
  const used = await resolveAccount(context, open, { chain: request.chain, address: from })
  if (chainId !== undefined && `eip155:${chainId}` !== request.chain)
    throw new PublicError('This transaction is for a different network')
  const call = callOf(response)
  await rejectSelfCalls(open, [call])
  if (used.type === 'smartAccount') {
    const { sendUserOperation: sendAsUserOperation } = await import('./sendUserOperation.ts')
    return (
      (await sendAsUserOperation(context, open, { request, account: used, calls: [call], wait: true })).transaction ??
      ''
    )
  }
  const account = used.address
  const replaced =
    nonce === undefined || nonce === null
      ? undefined
      : {
          nonce,
          maxFeePerGas: maxFeePerGas ?? gasPrice ?? 0n,
          maxPriorityFeePerGas: maxPriorityFeePerGas ?? gasPrice ?? 0n,
        }
  const action = {
    prepare: () => prepareTransactions(context.rpc, { chain: request.chain, from: account, calls: [call], replaced }),
    perform: (prepared: PreparedTransactions) => sendAll(context, open, { request, calls: [call], prepared }),
  }
  const ask = () =>
    context.approvals.ask({
      id: request.id,
      subject: { kind: 'calls', setting: approvalContextOf(request, open), calls: [call], prepare: action.prepare },
      perform: action.perform,
    })
  // A replacement always requires approval, because the user approved the transaction that it replaces.
  const hashes = replaced
    ? await ask()
    : await withPermission(context, { request, userId: open.userId, account, calls: [call], ...action }, ask)
  return hashes[0] ?? ''
}

/**
 * Converts a call from a JSON-RPC request.
 * @throws {PublicError} if `data` and `input` differ, or if the recipient and the data are both missing.
 */
export function callOf({ to, value, data, input }: v.InferOutput<typeof callSchema>): Call {
  if (data && input && data !== input) throw new PublicError('A transaction can have only one data field')
  const response = data ?? input ?? '0x'
  if (!to && response === '0x') throw new PublicError('A transaction needs a recipient')
  // The schema has validated the format of both values.
  return { to: (to ?? undefined) as Hex | undefined, value: value ?? 0n, data: response as Hex }
}

/** Signs the approved transactions and sends each one before signing the next. */
export async function sendAll(
  context: FrameContext,
  open: OpenedWallet,
  { request, calls, prepared }: { request: WalletRpcRequest; calls: readonly Call[]; prepared: PreparedTransactions },
): Promise<readonly string[]> {
  const chainId = Number(request.chain.slice('eip155:'.length))
  const signer = eip155Signer(open.vault)
  const hashes: string[] = []
  for (const [at, { to, value, data }] of calls.entries()) {
    const common = { chainId, nonce: prepared.nonce + at, gas: prepared.gas[at] ?? 0n, value, data, ...(to && { to }) }
    const transaction: TransactionSerializable = prepared.legacy
      ? { ...common, type: 'legacy', gasPrice: prepared.maxFeePerGas }
      : {
          ...common,
          type: 'eip1559',
          maxFeePerGas: prepared.maxFeePerGas,
          maxPriorityFeePerGas: prepared.maxPriorityFeePerGas,
        }
    const hash = await context.rpc<unknown>(request.chain, 'eth_sendRawTransaction', [
      await signer.signTransaction(transaction),
    ])
    if (!isHex(hash)) throw new PublicError('The network did not accept the transaction')
    hashes.push(hash)
  }
  return hashes
}
