import type { ChainId } from '@latchkey/protocol/caip'
import type { Eip155Signer } from '@latchkey/vault/signers/eip155'
import { concat, encodeFunctionData, type Hex, hexToNumber, isHex, parseAbi, type SignedAuthorization } from 'viem'
import { getUserOperationHash } from 'viem/account-abstraction'
import type { Call } from '../decoders/decodeCall.ts'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { PublicError } from '../publicError.ts'
import { getSafe, safeCallData, safeOperationHash, safeOperationSignature } from './safe.ts'
import type { UnsignedUserOperation } from './unsignedUserOperation.ts'

/** A smart account with its address, its entry point and the functions to build and sign user operations. */
export interface SmartAccount {
  readonly sender: Hex
  readonly entryPoint: Hex
  /**
   * What the first user operation sets up: the Safe (`contract`) or the EIP-7702 delegation (`code`). `undefined` if the account
   * is already set up.
   */
  readonly begins: 'contract' | 'code' | undefined
  readonly factory?: Hex
  readonly factoryData?: Hex
  callData(calls: readonly Call[]): Hex
  /** A well-formed dummy signature for gas estimation. */
  readonly stubSignature: Hex
  /** The EIP-7702 authorization to sign, if the account is not delegated yet. */
  readonly authorizing?: AuthorizationRequest | undefined
  sign(
    operation: UnsignedUserOperation,
    request: { signer: Eip155Signer; chainId: number; authorization: SignedAuthorization | undefined },
  ): Promise<Hex>
}

/** An unsigned EIP-7702 authorization. */
export interface AuthorizationRequest {
  readonly address: Hex
  readonly chainId: number
  readonly nonce: number
}

/** The entry point for Safe accounts (v0.7). */
export const entryPoint07 = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
/** The entry point for EIP-7702 accounts (v0.8). */
export const entryPoint08 = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
/**
 * The `Simple7702Account` contract by the entry point's authors. It supports batch calls and accepts only signatures made with
 * the account's own key.
 */
const codeAddress = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'

// The signature is well-formed but was not made with any known key.
const dummySignature: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}${'7'}${'a'.repeat(63)}1c`

/** Resolves to the smart account for the Safe owned by `owner`. */
export async function createSafeAccount({
  rpc,
  chain,
  owner,
}: {
  rpc: ChainRpcClient
  chain: ChainId
  owner: Hex
}): Promise<SmartAccount> {
  const { address, factory, factoryData } = getSafe(owner)
  return {
    sender: address,
    entryPoint: entryPoint07,
    begins: (await getCode(rpc, chain, address)) === '0x' ? 'contract' : undefined,
    factory,
    factoryData,
    callData: safeCallData,
    stubSignature: safeOperationSignature(dummySignature),
    async sign(operation, { signer, chainId }) {
      const hash = safeOperationHash({ operation, entryPoint: entryPoint07, chainId })
      return safeOperationSignature(await signer.sign({ hash }))
    },
  }
}

const batchAbi = parseAbi([
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
])

/**
 * Whether an EOA has no EIP-7702 delegation (`none`), or is delegated to our implementation (`ours`) or to a different contract
 * (`other`).
 */
export type EoaCodeStatus = 'none' | 'ours' | 'other'

/** Resolves to the current delegation status of an EOA. */
export async function getEoaCodeStatus({
  rpc,
  chain,
  key,
}: {
  rpc: ChainRpcClient
  chain: ChainId
  key: Hex
}): Promise<EoaCodeStatus> {
  const code = await getCode(rpc, chain, key)
  if (code === '0x') return 'none'
  return code.toLowerCase() === concat(['0xef0100', codeAddress]).toLowerCase() ? 'ours' : 'other'
}

/** Resolves to the smart account for an EOA that uses, or will use, EIP-7702 delegation to our implementation. */
export async function createEip7702Account({
  rpc,
  chain,
  key,
}: {
  rpc: ChainRpcClient
  chain: ChainId
  key: Hex
}): Promise<SmartAccount> {
  const code = await getEoaCodeStatus({ rpc, chain, key })
  if (code === 'other')
    throw new PublicError('This account is delegated to another contract, which this wallet does not support')
  const chainId = Number(chain.slice('eip155:'.length))
  const count = code === 'none' ? await rpc<unknown>(chain, 'eth_getTransactionCount', [key, 'pending']) : undefined
  return {
    sender: key,
    entryPoint: entryPoint08,
    begins: code === 'none' ? 'code' : undefined,
    authorizing: isHex(count) ? { address: codeAddress, chainId, nonce: hexToNumber(count) } : undefined,
    stubSignature: dummySignature,
    callData(calls) {
      const all = calls.map(({ to, value, data }) => {
        if (to === undefined) throw new PublicError('This account cannot deploy contracts')
        return { target: to, value, data }
      })
      const [item] = all
      return all.length === 1 && item
        ? encodeFunctionData({ abi: batchAbi, functionName: 'execute', args: [item.target, item.value, item.data] })
        : encodeFunctionData({ abi: batchAbi, functionName: 'executeBatch', args: [all] })
    },
    async sign(operation, { signer, chainId, authorization }) {
      const hash = getUserOperationHash({
        chainId,
        entryPointAddress: entryPoint08,
        entryPointVersion: '0.8',
        userOperation: { ...operation, signature: '0x', ...(authorization && { authorization }) },
      })
      return signer.sign({ hash })
    },
  }
}

/** Resolves to the code at `address`. */
export async function getCode(rpc: ChainRpcClient, chain: ChainId, address: Hex): Promise<Hex> {
  const code = await rpc<unknown>(chain, 'eth_getCode', [address, 'latest'])
  if (!isHex(code)) throw new PublicError('The network returned an invalid response')
  return code
}
