import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import type { Agreement, Signature } from './primitiveTypes.ts'

/** X25519 for engines without native support. */
export const agreement: Agreement = {
  publicKey: async (privateKey) => x25519.getPublicKey(privateKey),
  shared: async (privateKey, publicKey) => x25519.getSharedSecret(privateKey, publicKey),
}

/** Ed25519 for engines without native support. */
export const signature: Signature = {
  publicKey: async (seed) => ed25519.getPublicKey(seed),
  sign: async (seed, data) => ed25519.sign(data, seed),
  async verify(publicKey, data, signatureBytes) {
    try {
      return ed25519.verify(signatureBytes, data, publicKey)
    } catch {
      return false
    }
  },
}
