import type { ChainId } from '@latchkey/protocol/caip'
import { hexToBigInt, isHex, toHex } from 'viem'
import type { Payer, Quote } from '../approvals/approvalViewModel.ts'
import { analyzeCalls } from '../decoders/analyzeCalls.ts'
import type { Call } from '../decoders/decodeCall.ts'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { feesNow } from '../networks/gasFees.ts'
import { publicErrorMessage } from '../publicError.ts'
import type { Bundler } from './bundler.ts'
import type { SmartAccount } from './smartAccount.ts'
import type { UnsignedUserOperation } from './unsignedUserOperation.ts'

/** A user operation that is ready for approval, and the quote to show. */
export interface PreparedUserOperation extends Quote {
  readonly operation: UnsignedUserOperation
  readonly acting: SmartAccount
}

/** Prepares `calls` as one user operation, using the network's node, the bundler and the paymaster. */
export async function prepareUserOperation({
  rpc,
  bundler,
  chain,
  acting,
  calls,
  paymasterUrl,
  paymasterContext,
  sponsored,
}: {
  rpc: ChainRpcClient
  bundler: Bundler
  chain: ChainId
  acting: SmartAccount
  calls: readonly Call[]
  /** The paymaster URL specified by the page. */
  paymasterUrl: string | undefined
  paymasterContext: unknown
  /** Whether the operator pays fees on this network. */
  sponsored: boolean
}): Promise<PreparedUserOperation> {
  const chainId = Number(chain.slice('eip155:'.length))
  const { sender, begins } = acting
  const [response, fees, understanding] = await Promise.all([
    rpc<unknown>(chain, 'eth_getBalance', [sender, 'latest']),
    bundler.fees().then((found) => found ?? feesNow(rpc, chain)),
    analyzeCalls(rpc, { chain, account: sender, calls }),
  ])
  const balance = isHex(response) ? hexToBigInt(response) : 0n
  const draft: UnsignedUserOperation = {
    sender,
    nonce: freshNonce(),
    ...(begins === 'contract' && { factory: acting.factory, factoryData: acting.factoryData }),
    ...(begins === 'code' && { factory: '0x7702' as const }),
    callData: acting.callData(calls),
    ...noGas,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  }
  let willFail: string | undefined

  const complete = async (payer: Payer | undefined): Promise<UnsignedUserOperation> => {
    const request = { url: payer === 'page' ? paymasterUrl : undefined, context: paymasterContext ?? {} }
    const stub = payer && (await bundler.paymasterStub(draft, { acting, chainId, ...request }))
    const stubbed = { ...draft, ...stub?.fields }
    const gas = await bundler.estimate(stubbed, { acting, chainId }).catch((error: unknown) => {
      willFail ??= publicErrorMessage(error)
      return generousGas
    })
    const whole = { ...stubbed, ...gas }
    if (!payer || stub?.isFinal) return whole
    return { ...whole, ...(await bundler.paymasterData(whole, { acting, chainId, ...request })) }
  }

  let payer: Payer | undefined = paymasterUrl !== undefined ? 'page' : sponsored ? 'operator' : undefined
  const operation = await complete(payer).catch((error: unknown) => {
    // If the page promised to pay, its paymaster's error is reported. The operator's sponsorship is optional.
    if (payer !== 'operator') throw error
    payer = undefined
    willFail = undefined
    return complete(undefined)
  })
  return {
    operation,
    acting,
    payer,
    begins,
    fee: totalGas(operation) * operation.maxFeePerGas,
    balance,
    willFail,
    ...understanding,
  }
}

const noGas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n } as const
/** The gas limits used if the estimate fails. The user is warned that the transaction will likely fail. */
const generousGas = { callGasLimit: 500_000n, verificationGasLimit: 1_000_000n, preVerificationGas: 200_000n } as const

function totalGas(operation: UnsignedUserOperation): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation
  const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n } = operation
  return (
    callGasLimit + verificationGasLimit + preVerificationGas + paymasterVerificationGasLimit + paymasterPostOpGasLimit
  )
}

/** Returns a nonce with a random key (ERC-4337), so that pending operations do not block each other. */
function freshNonce(): bigint {
  const key = crypto.getRandomValues(new Uint8Array(24))
  return hexToBigInt(toHex(key)) << 64n
}
