import type { ChainId } from '@latchkey/protocol/caip'
import { eip155Signer } from '@latchkey/vault/signers/eip155'
import { parseTypedData, type TypedData } from '@latchkey/vault/signers/typedData'
import * as v from 'valibot'
import { hashTypedData } from 'viem'
import { approvalContextOf } from '../approvals/approvalContext.ts'
import { type Contracts, readContracts } from '../decoders/contractFacts.ts'
import { decodeTypedData } from '../decoders/decodeTypedData.ts'
import { contractsOfTypedData } from '../decoders/recognizeTypedData.ts'
import type { FrameContext } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { resolveAccount } from '../wallet/walletAccounts.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

const paramsSchema = v.tuple([v.string(), v.unknown()])

/** Handles `eth_signTypedData_v4`. Signs typed data (EIP-712). The signed data is exactly the displayed data. */
export async function signTypedData(
  context: FrameContext,
  open: OpenedWallet,
  request: WalletRpcRequest,
): Promise<string> {
  const parsed = v.safeParse(paramsSchema, request.params)
  if (!parsed.success) throw new PublicError('eth_signTypedData_v4: Expected an address and typed data')
  const account = await resolveAccount(context, open, { chain: request.chain, address: parsed.output[0] })
  const typed = typedDataIn(parsed.output[1])
  // The account's contracts are also checked on a network without a bundler, because the smart account might have been deployed
  // while a bundler was configured.
  const own =
    typed.domain.verifyingContract === undefined
      ? []
      : (await import('../smartAccount/signWithSafe.ts')).ownContracts(open.addresses.eip155)
  const contracts = await contractsWithin(context, { chain: request.chain, account: account.address, typed })
  const chainId = Number(request.chain.slice('eip155:'.length))
  const reading = decodeTypedData(typed, { account: account.address, chainId, own, contracts })
  return context.approvals.ask({
    id: request.id,
    subject: { kind: 'typedData', setting: approvalContextOf(request, open, account), reading },
    perform: async () => {
      if (reading.kind === 'refused') throw new PublicError('This data must not be signed')
      if (account.type === 'eoa') return eip155Signer(open.vault).signTypedData(typed)
      const { signWithSafe } = await import('../smartAccount/signWithSafe.ts')
      return signWithSafe(context, open, { chain: request.chain, hash: hashTypedData(typed) })
    },
  })
}

const networkMs = 8_000

/**
 * Reads the contracts on which the meaning of the data depends. Resolves to an empty object if the network does not respond
 * within `networkMs`, in which case the meaning is unknown.
 */
async function contractsWithin(
  { rpc }: FrameContext,
  { chain, account, typed }: { chain: ChainId; account: string; typed: TypedData },
): Promise<Contracts> {
  const late = new Promise<Contracts>((resolve) => setTimeout(() => resolve({}), networkMs))
  return Promise.race([readContracts(rpc, { chain, account, addresses: contractsOfTypedData(typed) }), late])
}

function typedDataIn(input: unknown): TypedData {
  try {
    return parseTypedData(input)
  } catch (cause) {
    throw new PublicError('eth_signTypedData_v4: Expected typed data', { cause })
  }
}
