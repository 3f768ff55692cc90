import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import * as v from 'valibot'
import { fromHex, toHex, toUtf8 } from '../bytes.ts'
import { failure } from '../errors/catalogue.ts'
import { read } from '../shapes.ts'

/** What `isValidSignature(bytes32,bytes)` is called by, and what it answers when the contract says yes (ERC-1271). */
const magicValue = '1626ba7e'

/** Namespace and reference around one colon (CAIP-2). */
const caip2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

/** Asks the node of a chain for `eth_call`: the `result`, or a rejection. */
export type ContractCall = (asked: {
  readonly chain: string
  readonly to: string
  readonly data: string
}) => Promise<unknown>

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
    const point = secp256k1.Signature.fromBytes(recovered, 'recovered').recoverPublicKey(hash)
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
 * Whether the contract at `address` says that `signature` of `hash` is its own (ERC-1271, R5.17). A node that does not answer says
 * no; a chain id that is none throws `cacao/bad-chain`.
 */
export async function signedByContract({
  chain,
  address,
  hash,
  signature,
  call,
}: {
  /** CAIP-2. */
  readonly chain: string
  readonly address: string
  readonly hash: Uint8Array
  readonly signature: string
  readonly call: ContractCall
}): Promise<boolean> {
  if (!caip2.test(chain)) throw failure('cacao/bad-chain', { chain })
  const bytes = fromHex(signature)
  if (!bytes) return false
  const word = (value: number): string => value.toString(16).padStart(64, '0')
  const padded = toHex(bytes)
    .slice(2)
    .padEnd(Math.ceil(bytes.length / 32) * 64, '0')
  const data = `0x${magicValue}${toHex(hash).slice(2)}${word(0x40)}${word(bytes.length)}${padded}`
  const answer = await call({ chain, to: address, data }).catch(() => undefined)
  return typeof answer === 'string' && answer.toLowerCase().startsWith(`0x${magicValue}`)
}

const answered = v.object({ result: v.string() })

/** `eth_call` through the RPC proxy of a server: `POST {base}/?chainId&projectId` (R7.9). */
export function callThroughProxy({
  base,
  projectId,
  fetch: fetcher = fetch,
}: {
  /** `https://connect.example.com/v1`. */
  readonly base: string
  readonly projectId: string
  readonly fetch?: typeof fetch
}): ContractCall {
  return async ({ chain, to, data }) => {
    const url = new URL(`${base.replace(/\/$/, '')}/`)
    url.searchParams.set('chainId', chain)
    url.searchParams.set('projectId', projectId)
    const answer = await fetcher(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'eth_call', params: [{ to, data }, 'latest'] }),
    })
    return read(answered, await answer.json())?.result
  }
}
