import { createDecipheriv, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto'
import { type CryptoEnvironment, systemEnvironment } from '../cryptoEnvironment.ts'

interface RawKey {
  readonly bytes: Uint8Array
}

/**
 * Returns an environment that uses Node's ciphers instead of WebCrypto. WebCrypto runs each call on another thread, which is
 * too slow for an attack with a hundred thousand attempts. The environment supports decryption and key derivation, but not
 * encryption.
 */
export function nodeEnvironment(): CryptoEnvironment {
  const subtle = {
    importKey: async (_format: 'raw', bytes: Uint8Array): Promise<RawKey> => ({ bytes }),
    async deriveBits(algorithm: HkdfParams | Pbkdf2Params, { bytes }: RawKey, bits: number): Promise<ArrayBuffer> {
      const salt = algorithm.salt as Uint8Array
      if ('info' in algorithm) return hkdfSync('sha256', bytes, salt, algorithm.info as Uint8Array, bits / 8)
      return Uint8Array.from(pbkdf2Sync(bytes, salt, algorithm.iterations, bits / 8, 'sha512')).buffer
    },
    async decrypt({ iv, additionalData }: AesGcmParams, { bytes }: RawKey, sealed: Uint8Array): Promise<ArrayBuffer> {
      const cipher = createDecipheriv('aes-256-gcm', bytes, iv as Uint8Array)
      cipher.setAAD(additionalData as Uint8Array)
      cipher.setAuthTag(sealed.subarray(-16))
      const opened = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
      return Uint8Array.from(opened).buffer
    },
    sign: async (_name: string, { bytes }: RawKey, text: Uint8Array): Promise<ArrayBuffer> =>
      Uint8Array.from(createHmac('sha256', bytes).update(text).digest()).buffer,
  }
  // Opening a vault needs only these four functions.
  return { ...systemEnvironment(), subtle: subtle as unknown as SubtleCrypto }
}
