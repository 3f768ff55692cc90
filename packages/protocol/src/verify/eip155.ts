import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex, toHex, toUtf8 } from '../bytes.ts'
import { addressOf, chainOf, namespaceOf } from '../caip.ts'
import { signatureMost } from '../constants.ts'
import { failure } from '../errors/errorMessages.ts'
import type { SignatureVerifier } from '../signIn/signIn.ts'
import type { ContractCall } from './contractCall.ts'

export { type ContractCall, callThrough, callThroughProxy, contractAnswer } from './contractCall.ts'

/** What `isValidSignature(bytes32,bytes)` is called by, and what it answers when the contract says yes (ERC-1271). */
const magicValue = '1626ba7e'

/** Namespace and reference around one colon (CAIP-2). */
const caip2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

/** What `personal_sign` signs for `message` (EIP-191, version 0x45). */
export function personalHash(message: string | Uint8Array): Uint8Array {
  const bytes = typeof message === 'string' ? toUtf8(message) : message
  const before = toUtf8(`\x19Ethereum Signed Message:\n${bytes.length}`)
  const all = new Uint8Array(before.length + bytes.length)
  all.set(before)
  all.set(bytes, before.length)
  return keccak_256(all)
}

/** The address, in lower case, whose key signed `hash`; `undefined` where the signature is none. */
export function recoverAddress({
  hash,
  signature,
}: {
  readonly hash: Uint8Array
  readonly signature: string
}): string | undefined {
  const bytes = fromHex(signature)
  if (bytes?.length !== 65) return undefined
  // 27 and 28 in most wallets, 0 and 1 in some hardware ones.
  const last = bytes[64] as number
  const recovery = last >= 27 ? last - 27 : last
  if (recovery > 1) return undefined
  try {
    const recovered = new Uint8Array([recovery, ...bytes.subarray(0, 64)])
    const found = secp256k1.Signature.fromBytes(recovered, 'recovered')
    // Whoever sees a signature can compute the other one, with the high s: only one of the two counts (EIP-2).
    if (found.hasHighS()) return undefined
    const point = found.recoverPublicKey(hash)
    return toHex(keccak_256(point.toBytes(false).subarray(1)).subarray(12))
  } catch {
    return undefined
  }
}

/** Whether the key of `address` signed `message` by `personal_sign`. */
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

/**
 * Whether the contract at `address` says that `signature` of `hash` is its own (ERC-1271). A node that does not answer says
 * no; a chain id that is none throws `cacao/bad-chain`.
 */
export async function signedByContract(params: ContractSignature): Promise<boolean> {
  const { chain, address, hash, signature, call } = params
  if (!caip2.test(chain)) throw failure('cacao/bad-chain', { chain })
  const data = question(hash, signature)
  const answer = data && (await call({ chain, to: address, data }).catch(() => undefined))
  return typeof answer === 'string' && answer.toLowerCase().startsWith(`0x${magicValue}`)
}

/** What is asked about a signature that may be a contract's. */
export interface ContractSignature {
  /** CAIP-2. */
  readonly chain: string
  readonly address: string
  readonly hash: Uint8Array
  readonly signature: string
  readonly call: ContractCall
}

/** What an answer has to be, letter for letter: the magic value, and zeros up to the end of the word. */
const yes = `0x${magicValue}${'0'.repeat(56)}`

/** Whether a signature brings along how its contract is made, and says so at its end (ERC-6492). */
export function isOfUndeployed(signature: string): boolean {
  return signature.endsWith('6492'.repeat(16))
}

/**
 * Whether an account of an EVM chain signed a text by `personal_sign` (EIP-191): its key, else the contract at its address (ERC-1271), else the
 * contract that the signature itself says how to make (ERC-6492), where `undeployed` is given. A key signs also for an account that
 * has code (EIP-7702). Of the two signatures of a key only the one with the low s counts, and it has 65 bytes: the short form of
 * EIP-2098 is refused, as no wallet answers with it. Rejects with `sign-in/no-node` when no node can say; without `call` only keys sign.
 */
export function eip155Verifier({
  call,
  undeployed,
}: {
  /** Asks a contract: `callThrough(…)`, `callThroughProxy(…)`, or one's own. */
  readonly call?: ContractCall | undefined
  /** `signedByUndeployed` of `@latchkey/protocol/verify/erc6492`, which needs viem. */
  readonly undeployed?: ((params: ContractSignature) => Promise<boolean>) | undefined
} = {}): SignatureVerifier {
  return async ({ account, message, signature }) => {
    const address = addressOf(account)
    if (namespaceOf(account) !== 'eip155' || !/^0x[0-9a-f]{40}$/i.test(address)) return false
    if (signature.length > signatureMost) return false
    if (signedByKey({ address, message, signature })) return true
    if (!call) return false
    const request = { chain: chainOf(account), address, hash: personalHash(message), signature, call }
    if (isOfUndeployed(signature)) return undeployed ? undeployed(request) : false
    return isMagicValue(request)
  }
}

/** Whether a contract that is there says yes, and nothing but yes; a node that does not answer is a rejection. */
export async function isMagicValue({ chain, address, hash, signature, call }: ContractSignature): Promise<boolean> {
  const data = question(hash, signature)
  const answer = data && (await call({ chain, to: address, data }))
  return typeof answer === 'string' && answer.toLowerCase() === yes
}

/** The call of `isValidSignature(bytes32,bytes)`. */
function question(hash: Uint8Array, signature: string): string | undefined {
  const bytes = fromHex(signature)
  if (!bytes) return undefined
  const word = (value: number): string => value.toString(16).padStart(64, '0')
  const padded = toHex(bytes)
    .slice(2)
    .padEnd(Math.ceil(bytes.length / 32) * 64, '0')
  return `0x${magicValue}${toHex(hash).slice(2)}${word(0x40)}${word(bytes.length)}${padded}`
}
