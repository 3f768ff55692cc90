import type { ChainId } from '@latchkey/protocol/caip'
import * as v from 'valibot'
import { hashTypedData } from 'viem'
import { accountNamed } from '../accounts.ts'
import { type Contracts, readContracts } from '../decoders/contracts.ts'
import { contractsOfTypedData } from '../decoders/typedData.ts'
import type { House } from '../house.ts'
import { eip155Signer } from '../keys/signers/eip155.ts'
import { parseTypedData, type TypedData } from '../keys/signers/typedData.ts'
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
  const contracts = await contractsWithin(house, { chain: asked.chain, account: account.address, typed })
  const chainId = Number(asked.chain.slice('eip155:'.length))
  const reading = explainTypedData(typed, { account: account.address, chainId, own, contracts })
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

const networkMs = 8_000

/** What stands at the addresses that decide the meaning; nothing where the network does not answer in time: then the meaning is unknown. */
async function contractsWithin(
  { rpc }: House,
  { chain, account, typed }: { chain: ChainId; account: string; typed: TypedData },
): Promise<Contracts> {
  const late = new Promise<Contracts>((resolve) => setTimeout(() => resolve({}), networkMs))
  return Promise.race([readContracts(rpc, { chain, account, addresses: contractsOfTypedData(typed) }), late])
}

function typedDataIn(given: unknown): TypedData {
  try {
    return parseTypedData(given)
  } catch (cause) {
    throw new Refusal('eth_signTypedData_v4: Expected typed data', { cause })
  }
}
