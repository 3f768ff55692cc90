import { fromUtf8, toBase58, toBase64, toHex } from '@latchkey/protocol/bytes'
import type { Namespace } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'

/** Returns a signature in the text encoding of its chain family (see `SignedText` in the siwx package). */
export function encodeSignature(namespace: Namespace, bytes: Uint8Array): string {
  // #region generated: families (npm run generate)
  if (namespace === 'solana') return toBase58(bytes)
  if (namespace === 'bip122') return toBase64(bytes)
  // #endregion
  // A Cosmos wallet returns JSON that contains the public key and the signature (ADR-36).
  if (namespace !== 'cosmos') return toHex(bytes)
  const text = fromUtf8(bytes)
  if (text === undefined) throw failure('sign-in/invalid')
  return text
}
