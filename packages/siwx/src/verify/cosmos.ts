import { equalBytes, fromBase64, toBase64, toUtf8 } from '@latchkey/protocol/bytes'
import { addressOf, namespaceOf } from '@latchkey/protocol/caip'
import { read } from '@latchkey/protocol/parseWithSchema'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bech32 } from '@scure/base'
import * as v from 'valibot'
import type { SignatureVerifier } from '../message/signInTypes.ts'

/**
 * A wallet's response (`StdSignature`). On Ethermint chains, some wallets use the standard name for the key type, and others use
 * their own.
 */
const answered = v.object({
  pub_key: v.object({
    type: v.pipe(v.string(), v.regex(/^(tendermint\/PubKeySecp256k1|[a-z]+\/PubKeyEthSecp256k1)$/)),
    value: v.string(),
  }),
  signature: v.string(),
})

/**
 * Creates a verifier for Cosmos accounts (ADR-36). The signature is the wallet's JSON response. Its key must match the address,
 * and its signature must have low s. Chains with Ethereum keys (Evmos, Injective) are supported; their addresses and hashes use
 * keccak. Multisignature keys are rejected. Any address prefix is accepted, because a chain ID does not determine the prefix.
 *
 * @example
 * const verifiers = { cosmos: cosmosVerifier() }
 */
export function cosmosVerifier(): SignatureVerifier {
  return async ({ account, message, signature }) => {
    if (namespaceOf(account) !== 'cosmos') return false
    const signer = addressOf(account)
    const owner = bytesOf(signer)
    const { pub_key, signature: proof } = stdSignature(signature) ?? {}
    const key = fromBase64(pub_key?.value ?? '')
    const bytes = fromBase64(proof ?? '')
    if (!owner || key?.length !== 33 || bytes?.length !== 64) return false
    const document = toUtf8(signDoc({ signer, message }))
    try {
      const hash = equalBytes(owner, ripemd160(sha256(key)))
        ? sha256(document)
        : equalBytes(owner, ethereumAddress(key)) && keccak_256(document)
      return hash !== false && secp256k1.verify(bytes, hash, key, { prehash: false })
    } catch {
      return false
    }
  }
}

/** Returns the decoded bytes of an address, or `undefined` if the address is invalid or not in lower case. */
function bytesOf(address: string): Uint8Array | undefined {
  if (address !== address.toLowerCase()) return undefined
  const decoded = bech32.decodeUnsafe(address)
  return decoded ? bech32.fromWordsUnsafe(decoded.words) || undefined : undefined
}

function ethereumAddress(key: Uint8Array): Uint8Array {
  return keccak_256(secp256k1.Point.fromBytes(key).toBytes(false).subarray(1)).subarray(12)
}

function stdSignature(text: string): v.InferOutput<typeof answered> | undefined {
  try {
    return text.length > 2_000 ? undefined : read(answered, JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * Returns the signed document, which is JSON with sorted keys and without spaces. Base64 and bech32 do not contain any characters
 * that the canonical form would escape (`&`, `<`, `>`).
 */
function signDoc({ signer, message }: { signer: string; message: string }): string {
  const data = toBase64(toUtf8(message))
  return `{"account_number":"0","chain_id":"","fee":{"amount":[],"gas":"0"},"memo":"","msgs":[{"type":"sign/MsgSignData","value":{"data":"${data}","signer":"${signer}"}}],"sequence":"0"}`
}
