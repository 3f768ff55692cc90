import { equalBytes, fromBase58, fromHex, toUtf8 } from '@latchkey/protocol/bytes'
import { addressOf, chainOf, namespaceOf } from '@latchkey/protocol/caip'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { verify as sr25519 } from '@scure/sr25519'
import type { SignatureVerifier } from '../message/signInTypes.ts'

/** The address prefixes of well-known chains (SS58 registry). */
const prefixes: Readonly<Record<string, number>> = {
  'polkadot:91b171bb158e2d3848fa23a9f1c25182': 0,
  'polkadot:68d56f15f85d3136970ec16946040bc1': 0,
  'polkadot:b0a8d493285c2df73290dfb7e61f870f': 2,
  'polkadot:48239ef607d7928874027a43a6768920': 2,
}

/** The prefix of addresses that are valid on any Substrate chain. */
const anyChain = 42

/** Verifies a signature with one scheme. The first byte of a `MultiSignature` identifies the scheme. */
type Scheme = (params: { readonly proof: Uint8Array; readonly signed: Uint8Array; readonly key: Uint8Array }) => boolean

const byEd25519: Scheme = ({ proof, signed, key }) => ed25519.verify(proof, signed, key, { zip215: false })
const bySr25519: Scheme = ({ proof, signed, key }) => sr25519(signed, proof, key)

/** Recovers the key from the signature, because the account of an ECDSA key is the key's hash. */
const byEcdsa: Scheme = ({ proof, signed, key }) => {
  const recovered = new Uint8Array([proof[64] as number, ...proof.subarray(0, 64)])
  const found = secp256k1.Signature.fromBytes(recovered, 'recovered')
  if (found.hasHighS()) return false
  const point = found.recoverPublicKey(blake2b(signed, { dkLen: 32 }))
  return equalBytes(blake2b(point.toBytes(true), { dkLen: 32 }), key)
}

/**
 * Creates a verifier for Substrate accounts. Signatures are sr25519, ed25519 or ECDSA, in hex, with or without the type byte.
 * Extensions wrap the text in `<Bytes>…</Bytes>`, and both the plain and the wrapped text are accepted. The address must have the
 * prefix of its chain or 42. If the chain is not known, any prefix is accepted. This verifier rejects 20-byte accounts
 * (Moonbeam), because they sign as Ethereum accounts do.
 *
 * @example
 * const verifiers = { polkadot: polkadotVerifier() }
 */
export function polkadotVerifier(): SignatureVerifier {
  return async ({ account, message, signature }) => {
    if (namespaceOf(account) !== 'polkadot') return false
    const { key, prefix } = ss58(addressOf(account)) ?? {}
    const own = prefixes[chainOf(account)]
    if (!key || (own !== undefined && prefix !== own && prefix !== anyChain)) return false
    const bytes = signature.length > 140 ? undefined : fromHex(signature)
    const tries = bytes ? readings(bytes) : []
    return tries.some(([scheme, proof]) =>
      [message, `<Bytes>${message}</Bytes>`].some((text) => holds(scheme, { proof, signed: toUtf8(text), key })),
    )
  }
}

/** Returns the schemes that are possible for a signature, based on its length and type byte. */
function readings(bytes: Uint8Array): readonly (readonly [Scheme, Uint8Array])[] {
  const rest = bytes.subarray(1)
  switch (bytes.length) {
    case 64:
      return [
        [bySr25519, bytes],
        [byEd25519, bytes],
      ]
    case 65:
      return [
        ...(bytes[0] === 0 ? ([[byEd25519, rest]] as const) : []),
        ...(bytes[0] === 1 ? ([[bySr25519, rest]] as const) : []),
        [byEcdsa, bytes],
      ]
    case 66:
      return bytes[0] === 2 ? [[byEcdsa, rest]] : []
    default:
      return []
  }
}

function holds(scheme: Scheme, params: Parameters<Scheme>[0]): boolean {
  try {
    return scheme(params)
  } catch {
    return false
  }
}

/**
 * Returns the key and prefix of an SS58 address, or `undefined` if its checksum is wrong or the account is not 32 bytes long.
 */
function ss58(address: string): { readonly key: Uint8Array; readonly prefix: number } | undefined {
  const bytes = address.length > 60 ? undefined : fromBase58(address)
  if (!bytes) return undefined
  const [first = 0, second = 0] = bytes
  const head = first < 64 ? 1 : 2
  if (first > 127 || bytes.length !== head + 34) return undefined
  const prefix = head === 1 ? first : ((first & 0x3f) << 2) | (second >> 6) | ((second & 0x3f) << 8)
  // For a small prefix, only the short encoding is valid.
  if (head === 2 && prefix < 64) return undefined
  const body = bytes.subarray(0, -2)
  const checksum = blake2b(new Uint8Array([...toUtf8('SS58PRE'), ...body])).subarray(0, 2)
  return equalBytes(checksum, bytes.subarray(-2)) ? { key: body.subarray(head), prefix } : undefined
}
