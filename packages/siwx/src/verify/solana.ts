import { fromBase58, toUtf8 } from '@latchkey/protocol/bytes'
import { addressOf, namespaceOf } from '@latchkey/protocol/caip'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { SignatureVerifier } from '../message/signInTypes.ts'

/** The prefix of Solana's off-chain messages. No transaction can start with this prefix. */
const offChainDomain = [0xff, ...toUtf8('solana offchain')]

/**
 * Creates a verifier for Solana accounts. Signatures are ed25519 (RFC 8032), and both key and signature are in base58. Keys of
 * small order and non-canonical numbers are rejected. Wallets sign the text itself. Hardware wallets sign an off-chain message,
 * which is accepted if it contains this text and account.
 *
 * @example
 * const verifiers = { solana: solanaVerifier() }
 */
export function solanaVerifier(): SignatureVerifier {
  return async ({ account, message, signature }) => {
    if (namespaceOf(account) !== 'solana') return false
    const key = fromBase58(addressOf(account))
    const proof = signature.length > 90 ? undefined : fromBase58(signature)
    if (key?.length !== 32 || proof?.length !== 64) return false
    const text = toUtf8(message)
    return [text, ...offChain(text, key)].some((signed) => isSigned({ proof, signed, key }))
  }
}

function isSigned({ proof, signed, key }: { proof: Uint8Array; signed: Uint8Array; key: Uint8Array }): boolean {
  try {
    return ed25519.verify(proof, signed, key, { zip215: false })
  } catch {
    return false
  }
}

/**
 * Yields the off-chain messages with this text that a wallet may have signed: version 1 and version 0 with one signer, and the
 * shorter header of early hardware wallets, which has no application domain and no signer. In version 0, the application domain
 * is all zeros; format 0 is for plain ASCII, format 1 for messages that fit on a hardware wallet, and format 2 for longer
 * messages. Wallets disagree on whether a line break is plain ASCII.
 */
function* offChain(text: Uint8Array, key: Uint8Array): Generator<Uint8Array> {
  yield new Uint8Array([...offChainDomain, 1, 1, ...key, ...text])
  if (text.length > 0xffff) return
  const length = [text.length & 0xff, text.length >> 8]
  const plain = text.every((byte) => byte === 0x0a || (byte >= 0x20 && byte < 0x7f))
  const formats = text.length > 1_212 ? [2] : plain ? [0, 1] : [1]
  for (const format of formats) {
    yield new Uint8Array([...offChainDomain, 0, ...new Uint8Array(32), format, 1, ...key, ...length, ...text])
    yield new Uint8Array([...offChainDomain, 0, format, ...length, ...text])
  }
}
