import * as v from 'valibot'
import { hashTypedData } from 'viem'
import { accountNamed } from '../accounts.ts'
import type { House } from '../house.ts'
import { eip155Signer } from '../keys/signers/eip155.ts'
import { readTypedData, type TypedData } from '../keys/signers/typedData.ts'
import { explainTypedData } from '../readable/typedData.ts'
import { Refusal } from '../refusal.ts'
import type { OpenWallet } from '../wallet.ts'
import type { RpcAsked } from './asked.ts'
import { settingOf } from './setting.ts'

const paramsSchema = v.tuple([v.string(), v.unknown()])

/** `eth_signTypedData_v4`: named fields (EIP-712). What is shown is what is signed. */
export async function signTypedData(house: House, open: OpenWallet, asked: RpcAsked): Promise<string> {
  const given = v.safeParse(paramsSchema, asked.params)
  if (!given.success) throw new Refusal('eth_signTypedData_v4: Expected an address and typed data')
  const account = await accountNamed(house, open, { chain: asked.chain, address: given.output[0] })
  const typed = typedDataIn(given.output[1])
  // Loaded also where there is no bundler now: the contract and its owner may be from times when there was one.
  const own =
    typed.domain.verifyingContract === undefined
      ? []
      : (await import('../smart/sign.ts')).contractsOf(open.addresses.eip155)
  const reading = explainTypedData(typed, Number(asked.chain.slice('eip155:'.length)), own)
  return house.approvals.ask({
    id: asked.id,
    subject: { kind: 'typedData', setting: settingOf(asked, open, account), reading },
    perform: async () => {
      if (reading.kind === 'refused') throw new Refusal('These data must not be signed')
      if (account.type === 'eoa') return eip155Signer(open.vault).signTypedData(typed)
      const { signWithSafe } = await import('../smart/sign.ts')
      return signWithSafe(house, open, { chain: asked.chain, hash: hashTypedData(typed) })
    },
  })
}

function typedDataIn(given: unknown): TypedData {
  try {
    return readTypedData(given)
  } catch (cause) {
    throw new Refusal('eth_signTypedData_v4: Expected typed data', { cause })
  }
}
