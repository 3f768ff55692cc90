import { equalBytes, fromBase58 } from '@latchkey/protocol/bytes'

const signatureBytes = 64
const keyBytes = 32

/**
 * Inserts the signature from `address` into `transaction`, which is in wire format. Returns `undefined` if the address is not a
 * signer. The format consists of the number of signatures, the signatures, and a message whose first accounts are the signers.
 */
export function insertSolanaSignature(
  transaction: Uint8Array,
  { address, signature }: { readonly address: string; readonly signature: Uint8Array },
): Uint8Array | undefined {
  const key = fromBase58(address)
  const signatures = readCount(transaction, 0)
  if (!key || !signatures || signature.length !== signatureBytes) return undefined
  const message = signatures.next + signatures.value * signatureBytes
  // The high bit of the first byte marks a versioned message, which has a version byte before its three-byte header.
  const header = message + ((transaction[message] ?? 0) & 0x80 ? 1 : 0)
  const signers = transaction[header] ?? 0
  const keys = readCount(transaction, header + 3)
  if (!keys || signers > signatures.value) return undefined
  for (let at = 0; at < signers; at++) {
    const from = keys.next + at * keyBytes
    if (!equalBytes(transaction.subarray(from, from + keyBytes), key)) continue
    const signed = transaction.slice()
    signed.set(signature, signatures.next + at * signatureBytes)
    return signed
  }
  return undefined
}

/** Reads a Solana "compact-u16", which stores seven bits per byte, least significant first. */
function readCount(bytes: Uint8Array, from: number): { value: number; next: number } | undefined {
  let value = 0
  for (let at = 0; at < 3; at++) {
    const byte = bytes[from + at]
    if (byte === undefined) return undefined
    value |= (byte & 0x7f) << (at * 7)
    if (!(byte & 0x80)) return { value, next: from + at + 1 }
  }
  return undefined
}
