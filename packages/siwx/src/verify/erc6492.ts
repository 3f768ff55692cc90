import { toHex } from '@latchkey/protocol/bytes'
import {
  concatHex,
  decodeAbiParameters,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
} from 'viem'
import type { ContractSignature } from './eip155.ts'
import { isMagicValue } from './eip155.ts'

/**
 * Resolves to whether the undeployed contract that a signature describes would accept a hash (ERC-6492). Nothing is deployed,
 * because a node runs the factory and the check in a single call. If the address already has code, only that code is called. The
 * signature's factory does not run in that case, because it could be any contract and could change the result.
 *
 * @example
 * const verifiers = { eip155: eip155Verifier({ call, undeployed: verifyErc6492 }) }
 */
export async function verifyErc6492(params: ContractSignature): Promise<boolean> {
  const { chain, address, hash, signature, call } = params
  const inner = innerSignature(signature)
  if (!inner) return false
  if (await hasCode(params)) return isMagicValue({ ...params, signature: inner })
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    // Pass the address in lower case, because viem would reject a wrong checksum, which every other check accepts.
    args: [address.toLowerCase() as Hex, toHex(hash), signature as Hex],
  })
  const answer = await call({ chain, data })
  return answer === '0x01'
}

/** Resolves to whether there is code at an address. Runs a few instructions that return the size of the code. */
async function hasCode({ chain, address, call }: ContractSignature): Promise<boolean> {
  const [push20, extcodesize, store, give] = ['0x73', '0x3b', '0x600052', '0x60206000f3'] as const
  const answer = await call({ chain, data: concatHex([push20, address as Hex, extcodesize, store, give]) })
  // If the result is unreadable, assume that there is code, so that the account itself must accept the signature.
  return answer !== `0x${'0'.repeat(64)}`
}

/** Returns the contract's own signature, which ERC-6492 encodes as `(factory, calldata, signature)` before the suffix. */
function innerSignature(signature: string): Hex | undefined {
  try {
    const wrapped = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
    return decodeAbiParameters(wrapped, signature.slice(0, -64) as Hex)[2]
  } catch {
    return undefined
  }
}
