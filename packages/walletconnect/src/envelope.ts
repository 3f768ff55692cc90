import { fromBase64, fromUtf8, toBase64, toUtf8 } from '@latchkey/protocol/bytes'
import type { Primitives } from './crypto/primitiveTypes.ts'

const ivLength = 12
const keyLength = 32
const tagLength = 16

/** A parsed envelope that is still encrypted. */
export interface Envelope {
  /** The sender's X25519 public key (type 1 only). */
  readonly sender?: Uint8Array | undefined
  readonly iv: Uint8Array
  readonly sealed: Uint8Array
}

/**
 * Encrypts `text` with `key` and returns the envelope in base64. If `sender` is set, the envelope has type 1 and includes the
 * sender's public key, from which the recipient derives the key. Otherwise, the envelope has type 0.
 */
export async function seal(
  crypto: Primitives,
  { key, text, sender }: { key: Uint8Array; text: string; sender?: Uint8Array | undefined },
): Promise<string> {
  const iv = crypto.random(ivLength)
  const sealed = await crypto.cipher.seal(key, iv, toUtf8(text))
  return toBase64(Uint8Array.from([sender ? 1 : 0, ...(sender ?? []), ...iv, ...sealed]))
}

/** Parses an envelope. Returns `undefined` unless the message is a valid envelope of type 0 or 1. */
export function readEnvelope(message: string): Envelope | undefined {
  const bytes = fromBase64(message)
  const senderLength = bytes?.[0] === 1 ? keyLength : bytes?.[0] === 0 ? 0 : undefined
  if (!bytes || senderLength === undefined || bytes.length < 1 + senderLength + ivLength + tagLength) return undefined
  const at = 1 + senderLength
  return {
    ...(senderLength ? { sender: bytes.slice(1, at) } : {}),
    iv: bytes.slice(at, at + ivLength),
    sealed: bytes.slice(at + ivLength),
  }
}

/** Decrypts an envelope. Resolves to `undefined` if `key` is wrong or the envelope was modified. */
export async function openEnvelope(
  crypto: Primitives,
  { envelope, key }: { envelope: Envelope; key: Uint8Array },
): Promise<string | undefined> {
  try {
    return fromUtf8(await crypto.cipher.open(key, envelope.iv, envelope.sealed))
  } catch {
    return undefined
  }
}
