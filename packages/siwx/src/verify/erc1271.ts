import { fromHex, toHex } from '@latchkey/protocol/bytes'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { ContractCall } from './contractCall.ts'

/** The selector of `isValidSignature(bytes32,bytes)`, which is also its return value for a valid signature (ERC-1271). */
const magicValue = '1626ba7e'

/** The exact result for a valid signature, which is the magic value padded with zeros. */
const yes = `0x${magicValue}${'0'.repeat(56)}`

/** Matches a CAIP-2 chain ID: a namespace and a reference, separated by a colon. */
const caip2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

/** A signature that a contract can verify. */
export interface ContractSignature {
  /** A CAIP-2 chain ID. */
  readonly chain: string
  /** The address of the contract, in hex. */
  readonly address: string
  /** The 32 bytes that were signed. For messages, this is the result of `personalHash`. */
  readonly hash: Uint8Array
  /** The signature in hex. The contract determines its format. */
  readonly signature: string
  /** Calls a contract on `chain`. */
  readonly call: ContractCall
}

/**
 * Resolves to whether the contract at `address` accepts `signature` for `hash` (ERC-1271), and to `false` if the node does not
 * respond. Rejects with `cacao/bad-chain` if the chain ID is invalid.
 */
export async function signedByContract(params: ContractSignature): Promise<boolean> {
  const { chain, address, hash, signature, call } = params
  if (!caip2.test(chain)) throw failure('cacao/bad-chain', { chain })
  const data = calldataOf(hash, signature)
  const answer = data && (await call({ chain, to: address, data }).catch(() => undefined))
  return typeof answer === 'string' && answer.toLowerCase().startsWith(`0x${magicValue}`)
}

/**
 * Resolves to whether a deployed contract returns exactly the result for a valid signature. Rejects if the node does not respond.
 */
export async function isMagicValue({ chain, address, hash, signature, call }: ContractSignature): Promise<boolean> {
  const data = calldataOf(hash, signature)
  const answer = data && (await call({ chain, to: address, data }))
  return typeof answer === 'string' && answer.toLowerCase() === yes
}

/** Returns the calldata for `isValidSignature(bytes32,bytes)`, or `undefined` if the signature is not hex. */
function calldataOf(hash: Uint8Array, signature: string): string | undefined {
  const bytes = fromHex(signature)
  if (!bytes) return undefined
  const word = (value: number): string => value.toString(16).padStart(64, '0')
  const padded = toHex(bytes)
    .slice(2)
    .padEnd(Math.ceil(bytes.length / 32) * 64, '0')
  return `0x${magicValue}${toHex(hash).slice(2)}${word(0x40)}${word(bytes.length)}${padded}`
}
