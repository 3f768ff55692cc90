import { fromBase64, fromUtf8, toBase64, toUtf8 } from '@latchkey/protocol/bytes'
import type { Primitives } from './crypto/primitives.ts'

const ivLength = 12
const keyLength = 32
const tagLength = 16

/** An envelope, opened as far as it can be without a key. */
export interface Envelope {
  /** Who sealed it, when the envelope brings that along (type 1): an X25519 public key. */
  readonly sender?: Uint8Array | undefined
  readonly iv: Uint8Array
  readonly sealed: Uint8Array
}

/**
 * `text` sealed under `key`, in base64: type 0, or type 1 with the sender's public key in front, where the other side needs it to
 * derive the key.
 */
export async function seal(
  crypto: Primitives,
  { key, text, sender }: { key: Uint8Array; text: string; sender?: Uint8Array | undefined },
): Promise<string> {
  const iv = crypto.random(ivLength)
  const sealed = await crypto.cipher.seal(key, iv, toUtf8(text))
  return toBase64(Uint8Array.from([sender ? 1 : 0, ...(sender ?? []), ...iv, ...sealed]))
}

/** The parts of an envelope, or `undefined` when it is none of type 0 or 1. */
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

/** The text of an envelope, or `undefined` when `key` does not open it. */
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
