import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Primitives } from './primitiveTypes.ts'

/** SHA-256 and HKDF for pages without WebCrypto, which requires a secure context. */
export const hashes: Pick<Primitives, 'sha256' | 'hkdf'> = {
  sha256: async (data) => sha256(data),
  hkdf: async (secret) => hkdf(sha256, secret, undefined, undefined, 32),
}
