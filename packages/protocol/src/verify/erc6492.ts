import {
  concatHex,
  decodeAbiParameters,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
} from 'viem'
import { toHex } from '../bytes.ts'
import type { ContractSignature } from './eip155.ts'
import { isMagicValue } from './eip155.ts'

/**
 * Whether the contract that a signature says how to make would sign a hash (ERC-6492). Nothing is made: a node runs the factory
 * and the question in one call. If there is code at the address already, that code alone is asked, and the factory that the
 * signature names is not run: it could be any contract, and change what the account says.
 */
export async function verifyErc6492(params: ContractSignature): Promise<boolean> {
  const { chain, address, hash, signature, call } = params
  const inner = innerSignature(signature)
  if (!inner) return false
  if (await hasCode(params)) return isMagicValue({ ...params, signature: inner })
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    // In one case: a checksum that is not right would be an error here, and is not one anywhere else.
    args: [address.toLowerCase() as Hex, toHex(hash), signature as Hex],
  })
  const answer = await call({ chain, data })
  return answer === '0x01'
}

/** Runs four instructions that answer with the size of the code at an address. */
async function hasCode({ chain, address, call }: ContractSignature): Promise<boolean> {
  const [push20, extcodesize, store, give] = ['0x73', '0x3b', '0x600052', '0x60206000f3'] as const
  const answer = await call({ chain, data: concatHex([push20, address as Hex, extcodesize, store, give]) })
  // What cannot be read is taken for code: then the account has to say yes itself.
  return answer !== `0x${'0'.repeat(64)}`
}

/** The signature that the contract itself is shown, out of `(factory, calldata, signature)` and the mark. */
function innerSignature(signature: string): Hex | undefined {
  try {
    const wrapped = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
    return decodeAbiParameters(wrapped, signature.slice(0, -64) as Hex)[2]
  } catch {
    return undefined
  }
}
