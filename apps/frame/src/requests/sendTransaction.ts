import * as v from 'valibot'
import { type Hex, isHex, type TransactionSerializable } from 'viem'
import { accountNamed } from '../accounts.ts'
import type { House } from '../house.ts'
import { eip155Signer } from '../keys/signers/eip155.ts'
import { unlessGranted } from '../permissions/use.ts'
import type { Call } from '../readable/call.ts'
import { Refusal } from '../refusal.ts'
import type { OpenWallet } from '../wallet.ts'
import type { RpcAsked } from './asked.ts'
import { refuseOwnCalls } from './ownCalls.ts'
import { settingOf } from './setting.ts'
import { type Prepared, prepare } from './transaction.ts'

const address = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/i))
const quantity = v.pipe(
  v.union([
    v.pipe(v.string(), v.regex(/^(0x[0-9a-f]{1,64}|\d{1,78})$/i)),
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  ]),
  v.transform((value) => BigInt(value)),
)
const bytes = v.pipe(v.string(), v.maxLength(300_000), v.regex(/^0x([0-9a-f]{2})*$/i))

/** One call of a request, in the words of JSON-RPC. */
export const callSchema = v.object({
  to: v.nullish(address),
  value: v.nullish(quantity),
  data: v.nullish(bytes),
  input: v.nullish(bytes),
})
const paramsSchema = v.looseTuple([
  v.object({ ...callSchema.entries, from: v.optional(address), chainId: v.optional(quantity) }),
])

/** `eth_sendTransaction`: one transaction, whose nonce, gas and price are ours to say. */
export async function sendTransaction(house: House, open: OpenWallet, asked: RpcAsked): Promise<string> {
  const given = v.safeParse(paramsSchema, asked.params)
  if (!given.success) throw new Refusal('eth_sendTransaction: Expected a transaction')
  const [{ from, chainId, ...said }] = given.output
  const used = await accountNamed(house, open, { chain: asked.chain, address: from })
  if (chainId !== undefined && `eip155:${chainId}` !== asked.chain)
    throw new Refusal('This transaction is for another network')
  const call = callOf(said)
  await refuseOwnCalls(open, [call])
  if (used.type === 'smartAccount') {
    const { sendAsOperation } = await import('../smart/request.ts')
    return (await sendAsOperation(house, open, { asked, account: used, calls: [call], wait: true })).transaction ?? ''
  }
  const account = used.address
  const deed = {
    prepare: () => prepare(house.rpc, { chain: asked.chain, from: account, calls: [call] }),
    perform: (prepared: Prepared) => sendAll(house, open, { asked, calls: [call], prepared }),
  }
  const hashes = await unlessGranted(house, { asked, userId: open.userId, account, calls: [call], ...deed }, () =>
    house.approvals.ask({
      id: asked.id,
      subject: { kind: 'calls', setting: settingOf(asked, open), calls: [call], prepare: deed.prepare },
      perform: deed.perform,
    }),
  )
  return hashes[0] ?? ''
}

/** A call as we mean it; throws for one that says its data twice, and differently. */
export function callOf({ to, value, data, input }: v.InferOutput<typeof callSchema>): Call {
  if (data && input && data !== input) throw new Refusal('A transaction has one data field')
  const said = data ?? input ?? '0x'
  if (!to && said === '0x') throw new Refusal('A transaction needs a recipient')
  // Checked by their patterns.
  return { to: (to ?? undefined) as Hex | undefined, value: value ?? 0n, data: said as Hex }
}

/** Signs what was shown, and hands each transaction to the network before the next is signed. */
export async function sendAll(
  house: House,
  open: OpenWallet,
  { asked, calls, prepared }: { asked: RpcAsked; calls: readonly Call[]; prepared: Prepared },
): Promise<readonly string[]> {
  const chainId = Number(asked.chain.slice('eip155:'.length))
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
    const hash = await house.rpc<unknown>(asked.chain, 'eth_sendRawTransaction', [
      await signer.signTransaction(transaction),
    ])
    if (!isHex(hash)) throw new Refusal('The network did not take the transaction')
    hashes.push(hash)
  }
  return hashes
}
