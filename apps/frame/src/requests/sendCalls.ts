import * as v from 'valibot'
import { type Hex, isHex } from 'viem'
import type { House } from '../house.ts'
import { unlessGranted } from '../permissions/use.ts'
import { readCall } from '../readable/call.ts'
import { Refusal } from '../refusal.ts'
import type { OpenWallet } from '../wallet.ts'
import type { RpcAsked } from './asked.ts'
import { callOf, callSchema, sendAll } from './sendTransaction.ts'
import { settingOf } from './setting.ts'
import { type Prepared, prepare } from './transaction.ts'

const paramsSchema = v.looseTuple([
  v.object({
    id: v.optional(v.pipe(v.string(), v.maxLength(256))),
    from: v.optional(v.string()),
    chainId: v.optional(v.union([v.string(), v.number()])),
    atomicRequired: v.optional(v.boolean()),
    calls: v.pipe(v.array(callSchema), v.minLength(1), v.maxLength(20)),
  }),
])

/** `wallet_sendCalls` (EIP-5792) for an account that is a key: one transaction after the other, approved together. */
export async function sendCalls(house: House, open: OpenWallet, asked: RpcAsked): Promise<unknown> {
  const given = v.safeParse(paramsSchema, asked.params)
  if (!given.success) throw new Refusal('wallet_sendCalls: Expected calls')
  const [{ id, from, chainId, atomicRequired, calls: said }] = given.output
  const account = open.addresses.eip155
  if (from && from.toLowerCase() !== account.toLowerCase()) throw new Refusal('This account is not in the wallet')
  if (chainId !== undefined && `eip155:${Number(chainId)}` !== asked.chain)
    throw new Refusal('These calls are for another network')
  if (atomicRequired && said.length > 1) throw new Refusal('This account cannot make several calls as one')
  if (id !== undefined && house.batches.has(id)) throw new Refusal('These calls were sent already')
  const calls = said.map(callOf)
  const readings = calls.map(readCall)
  const deed = {
    prepare: () => prepare(house.rpc, { chain: asked.chain, from: account, calls, readings }),
    perform: (prepared: Prepared) => sendAll(house, open, { asked, calls, prepared }),
  }
  const hashes = await unlessGranted(house, { asked, userId: open.userId, account, calls, ...deed }, () =>
    house.approvals.ask({
      id: asked.id,
      subject: { kind: 'calls', setting: settingOf(asked, open), readings, prepare: deed.prepare },
      perform: deed.perform,
    }),
  )
  const batch = id ?? crypto.randomUUID()
  house.batches.set(batch, { chain: asked.chain, hashes })
  return { id: batch }
}

/** `wallet_getCallsStatus`: what became of calls that this frame has sent. */
export async function callsStatus(house: House, { params }: RpcAsked): Promise<unknown> {
  const id = Array.isArray(params) ? String(params[0]) : ''
  const batch = house.batches.get(id)
  if (!batch) throw new Refusal('Unknown calls')
  const receipts = await Promise.all(
    batch.hashes.map((hash) => house.rpc<{ status?: Hex } | null>(batch.chain, 'eth_getTransactionReceipt', [hash])),
  )
  const found = receipts.filter((receipt) => receipt !== null)
  const good = found.filter(({ status }) => isHex(status) && BigInt(status) === 1n).length
  // 100 pending, 200 done, 500 failed whole, 600 in part.
  const status = found.length < receipts.length ? 100 : good === found.length ? 200 : good === 0 ? 500 : 600
  const reference = Number(batch.chain.slice('eip155:'.length))
  return { version: '2.0.0', id, chainId: `0x${reference.toString(16)}`, status, atomic: false, receipts: found }
}
