import { toHex } from '@latchkey/protocol/bytes'
import type { Primitives } from './primitiveTypes.ts'

/** An X25519 key pair. The public key is in hex without a prefix, as in messages. */
export interface KeyPair {
  readonly privateKey: Uint8Array
  readonly publicKey: string
}

/** Creates an X25519 key pair. */
export async function createKeyPair(crypto: Primitives): Promise<KeyPair> {
  const privateKey = crypto.random(32)
  return { privateKey, publicKey: formatKey(await crypto.agreement.publicKey(privateKey)) }
}

/** Encodes a key or hash in hex without a prefix. */
export function formatKey(key: Uint8Array): string {
  return toHex(key).slice(2)
}

/** Decodes a public key from a validated message. */
export function parseKey(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
