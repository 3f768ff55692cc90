import { fromHex, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import { addressOf, chainOf, namespaceOf } from '@latchkey/protocol/caip'
import { maxSignatureLength } from '@latchkey/protocol/specificationConstants'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { SignatureVerifier } from '../message/signInTypes.ts'
import type { ContractCall } from './contractCall.ts'
import { type ContractSignature, isMagicValue } from './erc1271.ts'

export { type ContractCall, callThrough, callThroughProxy, contractAnswer } from './contractCall.ts'
export { type ContractSignature, isMagicValue, signedByContract } from './erc1271.ts'

/** Returns the hash that `personal_sign` signs for `message` (EIP-191, version 0x45). */
export function personalHash(message: string | Uint8Array): Uint8Array {
  const bytes = typeof message === 'string' ? toUtf8(message) : message
  const before = toUtf8(`\x19Ethereum Signed Message:\n${bytes.length}`)
  const all = new Uint8Array(before.length + bytes.length)
  all.set(before)
  all.set(bytes, before.length)
  return keccak_256(all)
}

/** Returns the lowercase address whose key signed `hash`, or `undefined` if the signature is invalid. */
export function recoverAddress({
  hash,
  signature,
}: {
  readonly hash: Uint8Array
  readonly signature: string
}): string | undefined {
  const bytes = fromHex(signature)
  if (bytes?.length !== 65) return undefined
  // The last byte is 27 or 28 in most wallets, and 0 or 1 in some hardware wallets.
  const last = bytes[64] as number
  const recovery = last >= 27 ? last - 27 : last
  if (recovery > 1) return undefined
  try {
    const recovered = new Uint8Array([recovery, ...bytes.subarray(0, 64)])
    const found = secp256k1.Signature.fromBytes(recovered, 'recovered')
    // Anyone can compute the high-s signature from the low-s signature, so only low s is accepted (EIP-2).
    if (found.hasHighS()) return undefined
    const point = found.recoverPublicKey(hash)
    return toHex(keccak_256(point.toBytes(false).subarray(1)).subarray(12))
  } catch {
    return undefined
  }
}

/** Whether the key of `address` signed `message` with `personal_sign`. */
export function signedByKey({
  address,
  message,
  signature,
}: {
  readonly address: string
  readonly message: string | Uint8Array
  readonly signature: string
}): boolean {
  return recoverAddress({ hash: personalHash(message), signature }) === address.toLowerCase()
}

/** Whether a signature includes the deployment of its contract. Such signatures end with a magic suffix (ERC-6492). */
export function isOfUndeployed(signature: string): boolean {
  return signature.endsWith('6492'.repeat(16))
}

/**
 * Creates a verifier for `personal_sign` (EIP-191) on EVM chains. It accepts signatures by the account's key, by the contract at
 * its address (ERC-1271), and by an undeployed contract (ERC-6492) if `undeployed` is passed. A key can also sign for an account
 * with code (EIP-7702). Key signatures must have 65 bytes and low s. The compact form of EIP-2098 is rejected, because no wallet
 * uses it. Rejects with `sign-in/no-node` if no node responds. Without `call`, only keys are supported.
 *
 * @example
 * const verifiers = { eip155: eip155Verifier({ call, undeployed: verifyErc6492 }) }
 */
export function eip155Verifier({
  call,
  undeployed,
}: {
  /** Calls a contract. Pass `callThrough(…)`, `callThroughProxy(…)` or your own function. */
  readonly call?: ContractCall | undefined
  /**
   * Verifies signatures of undeployed contracts. Pass `verifyErc6492` from `@latchkey/siwx/verify/erc6492`, which requires viem.
   */
  readonly undeployed?: ((params: ContractSignature) => Promise<boolean>) | undefined
} = {}): SignatureVerifier {
  return async ({ account, message, signature }) => {
    const address = addressOf(account)
    if (namespaceOf(account) !== 'eip155' || !/^0x[0-9a-f]{40}$/i.test(address)) return false
    if (signature.length > maxSignatureLength) return false
    if (signedByKey({ address, message, signature })) return true
    if (!call) return false
    const request = { chain: chainOf(account), address, hash: personalHash(message), signature, call }
    if (isOfUndeployed(signature)) return undeployed ? undeployed(request) : false
    return isMagicValue(request)
  }
}
