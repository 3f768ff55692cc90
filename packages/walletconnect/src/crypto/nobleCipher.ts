import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import type { Cipher } from './primitiveTypes.ts'

/** ChaCha20-Poly1305 for engines without native support. */
export const cipher: Cipher = {
  seal: async (key, iv, text) => chacha20poly1305(key, iv).encrypt(text),
  open: async (key, iv, sealed) => chacha20poly1305(key, iv).decrypt(sealed),
}
