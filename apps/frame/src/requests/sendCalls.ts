import type { ChainId } from '@latchkey/protocol/caip'
import * as v from 'valibot'
import { type Hex, isHex } from 'viem'
import { accountNamed, hasBundler } from '../accounts.ts'
import type { House } from '../house.ts'
import { unlessGranted } from '../permissions/use.ts'
import { Refusal } from '../refusal.ts'
import type { NamedPaymaster } from '../smart/send.ts'
import type { OpenWallet } from '../wallet.ts'
import type { RpcAsked } from './asked.ts'
import { refuseOwnCalls } from './ownCalls.ts'
import { callOf, callSchema, sendAll } from './sendTransaction.ts'
import { settingOf } from './setting.ts'
import { type Prepared, prepare } from './transaction.ts'

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

async function mayPay(house: House, chain: ChainId, { url }: NamedPaymaster): Promise<boolean> {
  const { paymasters } = await house.config()
  return (await hasBundler(house, chain)) && paymasters.includes(new URL(url).origin)
}

/** The paymaster that these capabilities name; throws for a capability that is needed and not known here (EIP-5792). */
function paymasterIn(
  capabilities: Readonly<Record<string, unknown>>,
): (NamedPaymaster & { readonly isOptional: boolean }) | undefined {
  for (const [name, said] of Object.entries(capabilities)) {
    const isOptional = v.is(optionalSchema, said)
    if (!['paymasterService', 'permissions'].includes(name) && !isOptional)
      throw new Refusal(`This wallet does not know the capability ${name.slice(0, 40)}`)
  }
  const said = capabilities.paymasterService
  if (said === undefined) return undefined
  const found = v.safeParse(paymasterSchema, said)
  if (found.success) return { ...found.output, isOptional: v.is(optionalSchema, said) }
  if (v.is(optionalSchema, said)) return undefined
  throw new Refusal('wallet_sendCalls: Expected the address of a paymaster')
}

/**
 * `wallet_sendCalls` (EIP-5792). A contract makes all calls as one; a key makes one transaction after the other, approved together, unless
 * they have to be one or somebody else pays: then it acts through code at its own address (EIP-7702).
 */
export async function sendCalls(house: House, open: OpenWallet, asked: RpcAsked): Promise<unknown> {
  const given = v.safeParse(paramsSchema, asked.params)
  if (!given.success) throw new Refusal('wallet_sendCalls: Expected calls')
  const [{ id, from, chainId, atomicRequired, capabilities = {}, calls: said }] = given.output
  const used = await accountNamed(house, open, { chain: asked.chain, address: from })
  if (chainId !== undefined && `eip155:${Number(chainId)}` !== asked.chain)
    throw new Refusal('These calls are for another network')
  if (id !== undefined && house.batches.has(id)) throw new Refusal('These calls were sent already')
  const calls = said.map(callOf)
  await refuseOwnCalls(open, calls)
  const named = paymasterIn(capabilities)
  // A page that can do without its paymaster does, where it may not be asked.
  const paymaster = named?.isOptional && !(await mayPay(house, asked.chain, named)) ? undefined : named
  const asOne = used.type === 'smartAccount' || paymaster !== undefined || (atomicRequired === true && said.length > 1)
  if (asOne) {
    if (!(await hasBundler(house, asked.chain)))
      throw new Refusal(
        paymaster ? 'Nobody can pay fees for others on this network' : 'This account cannot make several calls as one',
      )
    const { sendAsOperation } = await import('../smart/request.ts')
    const { operation } = await sendAsOperation(house, open, { asked, account: used, calls, paymaster })
    const batch = id ?? operation
    house.batches.set(batch, { chain: asked.chain, operation })
    return { id: batch }
  }
  const account = used.address
  const deed = {
    prepare: () => prepare(house.rpc, { chain: asked.chain, from: account, calls }),
    perform: (prepared: Prepared) => sendAll(house, open, { asked, calls, prepared }),
  }
  const hashes = await unlessGranted(house, { asked, userId: open.userId, account, calls, ...deed }, () =>
    house.approvals.ask({
      id: asked.id,
      subject: { kind: 'calls', setting: settingOf(asked, open), calls, prepare: deed.prepare },
      perform: deed.perform,
    }),
  )
  const batch = id ?? crypto.randomUUID()
  house.batches.set(batch, { chain: asked.chain, hashes })
  return { id: batch }
}

/** `wallet_getCallsStatus`: what became of calls that this frame has sent. */
export async function callsStatus(house: House, { chain, params }: RpcAsked): Promise<unknown> {
  const id = Array.isArray(params) ? String(params[0]) : ''
  const kept = house.batches.get(id)
  // Calls that were one operation, sent before this document was loaded, are known by the hash that was their id.
  const batch = kept ?? (isHex(id) && id.length === 66 ? { chain, operation: id } : undefined)
  if (!batch) throw new Refusal('Unknown calls')
  if ('operation' in batch) {
    const { operationStatus } = await import('../smart/request.ts')
    const status = await operationStatus(batch)
    if (!status && !kept) throw new Refusal('Unknown calls')
    return {
      ...(status ?? { status: 100, receipts: [] }),
      version: '2.0.0',
      id,
      chainId: hexChain(batch.chain),
      atomic: true,
    }
  }
  const receipts = await Promise.all(
    batch.hashes.map((hash) => house.rpc<{ status?: Hex } | null>(batch.chain, 'eth_getTransactionReceipt', [hash])),
  )
  const found = receipts.filter((receipt) => receipt !== null)
  const good = found.filter(({ status }) => isHex(status) && BigInt(status) === 1n).length
  // 100 pending, 200 done, 500 failed whole, 600 in part.
  const status = found.length < receipts.length ? 100 : good === found.length ? 200 : good === 0 ? 500 : 600
  return { version: '2.0.0', id, chainId: hexChain(batch.chain), status, atomic: false, receipts: found }
}

function hexChain(chain: ChainId): string {
  return `0x${Number(chain.slice('eip155:'.length)).toString(16)}`
}
