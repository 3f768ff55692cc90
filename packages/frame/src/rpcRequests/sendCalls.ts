import type { ChainId } from '@latchkey/protocol/caip'
import * as v from 'valibot'
import { type Hex, isHex } from 'viem'
import { approvalContextOf } from '../approvals/approvalContext.ts'
import type { FrameContext } from '../frameContext.ts'
import { withPermission } from '../permissions/withPermission.ts'
import { PublicError } from '../publicError.ts'
import type { NamedPaymaster } from '../smartAccount/userOperationSender.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { hasBundler, resolveAccount } from '../wallet/walletAccounts.ts'
import { type PreparedTransactions, prepareTransactions } from './prepareTransactions.ts'
import { rejectSelfCalls } from './rejectSelfCalls.ts'
import { callOf, callSchema, sendAll } from './sendTransaction.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

const paramsSchema = v.looseTuple([
  v.object({
    id: v.optional(v.pipe(v.string(), v.maxLength(256))),
    from: v.optional(v.string()),
    chainId: v.optional(v.union([v.string(), v.number()])),
    atomicRequired: v.optional(v.boolean()),
    capabilities: v.optional(v.record(v.string(), v.unknown())),
    calls: v.pipe(v.array(callSchema), v.minLength(1), v.maxLength(20)),
  }),
])

const paymasterSchema = v.object({
  url: v.pipe(v.string(), v.maxLength(2_000), v.url()),
  context: v.optional(v.unknown()),
})
const optionalSchema = v.object({ optional: v.literal(true) })

async function canPay(context: FrameContext, chain: ChainId, { url }: NamedPaymaster): Promise<boolean> {
  const { paymasters } = await context.config()
  return (await hasBundler(context, chain)) && paymasters.includes(new URL(url).origin)
}

/**
 * Returns the paymaster specified in `capabilities`.
 * @throws {PublicError} if a required capability is not supported (EIP-5792).
 */
function paymasterIn(
  capabilities: Readonly<Record<string, unknown>>,
): (NamedPaymaster & { readonly isOptional: boolean }) | undefined {
  for (const [name, response] of Object.entries(capabilities)) {
    const isOptional = v.is(optionalSchema, response)
    if (!['paymasterService', 'permissions'].includes(name) && !isOptional)
      throw new PublicError(`This wallet does not support the capability ${name.slice(0, 40)}`)
  }
  const response = capabilities.paymasterService
  if (response === undefined) return undefined
  const found = v.safeParse(paymasterSchema, response)
  if (found.success) return { ...found.output, isOptional: v.is(optionalSchema, response) }
  if (v.is(optionalSchema, response)) return undefined
  throw new PublicError('wallet_sendCalls: Expected the address of a paymaster')
}

/**
 * Handles `wallet_sendCalls` (EIP-5792). A smart account executes all calls atomically. An EOA sends one transaction per call
 * after a single approval. If atomic execution or a paymaster is required, it uses EIP-7702 delegation instead.
 */
export async function sendCalls(
  context: FrameContext,
  open: OpenedWallet,
  request: WalletRpcRequest,
): Promise<unknown> {
  const parsed = v.safeParse(paramsSchema, request.params)
  if (!parsed.success) throw new PublicError('wallet_sendCalls: Expected calls')
  const [{ id, from, chainId, atomicRequired, capabilities = {}, calls: response }] = parsed.output
  const used = await resolveAccount(context, open, { chain: request.chain, address: from })
  if (chainId !== undefined && `eip155:${Number(chainId)}` !== request.chain)
    throw new PublicError('These calls are for a different network')
  if (id !== undefined && context.batches.has(id)) throw new PublicError('These calls have already been sent')
  const calls = response.map(callOf)
  await rejectSelfCalls(open, calls)
  const named = paymasterIn(capabilities)
  // An optional paymaster is ignored if it is not on the allowlist or the network has no bundler.
  const paymaster = named?.isOptional && !(await canPay(context, request.chain, named)) ? undefined : named
  const asOne =
    used.type === 'smartAccount' || paymaster !== undefined || (atomicRequired === true && response.length > 1)
  if (asOne) {
    if (!(await hasBundler(context, request.chain)))
      throw new PublicError(
        paymaster ? 'Paymasters are not supported on this network' : 'This account does not support atomic calls',
      )
    const { sendUserOperation: sendAsUserOperation } = await import('./sendUserOperation.ts')
    const { operation } = await sendAsUserOperation(context, open, { request, account: used, calls, paymaster })
    const batch = id ?? operation
    context.batches.set(batch, { chain: request.chain, operation })
    return { id: batch }
  }
  const account = used.address
  const action = {
    prepare: () => prepareTransactions(context.rpc, { chain: request.chain, from: account, calls }),
    perform: (prepared: PreparedTransactions) => sendAll(context, open, { request, calls, prepared }),
  }
  const hashes = await withPermission(context, { request, userId: open.userId, account, calls, ...action }, () =>
    context.approvals.ask({
      id: request.id,
      subject: { kind: 'calls', setting: approvalContextOf(request, open), calls, prepare: action.prepare },
      perform: action.perform,
    }),
  )
  const batch = id ?? crypto.randomUUID()
  context.batches.set(batch, { chain: request.chain, hashes })
  return { id: batch }
}

/** Handles `wallet_getCallsStatus` (EIP-5792). Returns the status of calls sent by this frame. */
export async function callsStatus(context: FrameContext, { chain, params }: WalletRpcRequest): Promise<unknown> {
  const id = Array.isArray(params) ? String(params[0]) : ''
  const stored = context.batches.get(id)
  // If a batch was sent as a user operation before a reload and had no ID, the operation's hash identifies it.
  const batch = stored ?? (isHex(id) && id.length === 66 ? { chain, operation: id } : undefined)
  if (!batch) throw new PublicError('Unknown calls')
  if ('operation' in batch) {
    const { getUserOperationStatus } = await import('./sendUserOperation.ts')
    const status = await getUserOperationStatus(batch)
    if (!status && !stored) throw new PublicError('Unknown calls')
    return {
      ...(status ?? { status: 100, receipts: [] }),
      version: '2.0.0',
      id,
      chainId: hexChain(batch.chain),
      atomic: true,
    }
  }
  const receipts = await Promise.all(
    batch.hashes.map((hash) => context.rpc<{ status?: Hex } | null>(batch.chain, 'eth_getTransactionReceipt', [hash])),
  )
  const found = receipts.filter((receipt) => receipt !== null)
  const good = found.filter(({ status }) => isHex(status) && BigInt(status) === 1n).length
  // EIP-5792 status codes: 100 is pending, 200 confirmed, 500 reverted, and 600 partially reverted.
  const status = found.length < receipts.length ? 100 : good === found.length ? 200 : good === 0 ? 500 : 600
  return { version: '2.0.0', id, chainId: hexChain(batch.chain), status, atomic: false, receipts: found }
}

function hexChain(chain: ChainId): string {
  return `0x${Number(chain.slice('eip155:'.length)).toString(16)}`
}
