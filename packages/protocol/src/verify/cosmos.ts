import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bech32 } from '@scure/base'
import * as v from 'valibot'
import { equalBytes, fromBase64, toBase64, toUtf8 } from '../bytes.ts'
import { addressOf, namespaceOf } from '../caip.ts'
import { read } from '../schemas.ts'
import type { SignatureVerifier } from '../signIn/signIn.ts'

/** What wallets answer with (`StdSignature`). Wallets call the key of an Ethermint chain by several names, some by the usual one. */
const answered = v.object({
  pub_key: v.object({
    type: v.pipe(v.string(), v.regex(/^(tendermint\/PubKeySecp256k1|[a-z]+\/PubKeyEthSecp256k1)$/)),
    value: v.string(),
  }),
  signature: v.string(),
})

/**
 * Whether the key of a Cosmos account signed a text (ADR-36). The signature is the JSON that wallets answer with; the key in it has to be
 * the one that the address is made of, and its signature the one of the two with the low s. Chains with Ethereum's keys (Evmos, Injective) are served
 * too: there the address is made by keccak, and so is the hash. Multisignature keys are refused. A chain does not say its address
 * prefix, so any is taken.
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

/** The 20 bytes of an address; `undefined` unless it is written in lower case, as chains write it. */
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
 * The document that is signed: JSON with sorted keys and no spaces. Of what is put in, base64 and bech32 hold nothing
 * that the canonical form would escape (`&`, `<`, `>`).
 */
function signDoc({ signer, message }: { signer: string; message: string }): string {
  const data = toBase64(toUtf8(message))
  return `{"account_number":"0","chain_id":"","fee":{"amount":[],"gas":"0"},"memo":"","msgs":[{"type":"sign/MsgSignData","value":{"data":"${data}","signer":"${signer}"}}],"sequence":"0"}`
}
