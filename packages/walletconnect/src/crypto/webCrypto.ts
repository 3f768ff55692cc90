import { fromBase64Url } from '@latchkey/protocol/bytes'
import type { Primitives } from './primitiveTypes.ts'

// The PKCS #8 header for a 32-byte private key (RFC 8410).
const pkcs8 = (identifier: number): Uint8Array =>
  new Uint8Array([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, identifier, 4, 0x22, 4, 0x20])
const curves = { X25519: 0x6e, Ed25519: 0x70 } as const
const chacha = 'ChaCha20-Poly1305'

/** Returns primitives that use WebCrypto. Each primitive works only if the engine supports its algorithm. */
export function webCrypto(subtle: SubtleCrypto): Omit<Primitives, 'random'> {
  const bytes = async (answer: Promise<ArrayBuffer>): Promise<Uint8Array> => new Uint8Array(await answer)
  const privateKey = (name: keyof typeof curves, key: Uint8Array, usages: KeyUsage[]): Promise<CryptoKey> =>
    subtle.importKey('pkcs8', concat(pkcs8(curves[name]), key), { name }, true, usages)
  const publicKeyOf = async (name: keyof typeof curves, key: Uint8Array, usages: KeyUsage[]): Promise<Uint8Array> => {
    const { x = '' } = await subtle.exportKey('jwk', await privateKey(name, key, usages))
    const decoded = fromBase64Url(x)
    if (!decoded) throw new TypeError('The engine returned no public key')
    return decoded
  }
  const cipherKey = (key: Uint8Array, usage: KeyUsage): Promise<CryptoKey> =>
    // The `raw-secret` format is missing from the TypeScript types.
    subtle.importKey('raw-secret' as 'raw', key as BufferSource, chacha, false, [usage])
  return {
    sha256: (data) => bytes(subtle.digest('SHA-256', data as BufferSource)),
    async hkdf(secret) {
      const key = await subtle.importKey('raw', secret as BufferSource, 'HKDF', false, ['deriveBits'])
      const none = new Uint8Array()
      return bytes(subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: none, info: none }, key, 256))
    },
    agreement: {
      publicKey: (key) => publicKeyOf('X25519', key, ['deriveBits']),
      async shared(key, publicKey) {
        const ownKey = await privateKey('X25519', key, ['deriveBits'])
        const peerKey = await subtle.importKey('raw', publicKey as BufferSource, 'X25519', false, [])
        const secret = await bytes(subtle.deriveBits({ name: 'X25519', public: peerKey }, ownKey, 256))
        // Not every engine rejects public keys of small order.
        if (secret.every((byte) => byte === 0)) throw new TypeError('The public key has small order')
        return secret
      },
    },
    signature: {
      publicKey: (seed) => publicKeyOf('Ed25519', seed, ['sign']),
      sign: async (seed, data) =>
        bytes(subtle.sign('Ed25519', await privateKey('Ed25519', seed, ['sign']), data as BufferSource)),
      async verify(publicKey, data, signature) {
        const key = await subtle.importKey('raw', publicKey as BufferSource, 'Ed25519', false, ['verify'])
        return subtle.verify('Ed25519', key, signature as BufferSource, data as BufferSource)
      },
    },
    cipher: {
      seal: async (key, iv, text) =>
        bytes(
          subtle.encrypt(
            { name: chacha, iv: iv as BufferSource },
            await cipherKey(key, 'encrypt'),
            text as BufferSource,
          ),
        ),
      open: async (key, iv, sealed) =>
        bytes(
          subtle.decrypt(
            { name: chacha, iv: iv as BufferSource },
            await cipherKey(key, 'decrypt'),
            sealed as BufferSource,
          ),
        ),
    },
  }
}

function concat(before: Uint8Array, after: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(before.length + after.length)
  all.set(before)
  all.set(after, before.length)
  return all
}
