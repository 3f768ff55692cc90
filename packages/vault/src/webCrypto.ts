import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { type CanonicalValue, canonicalJsonBytes } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'

/** An encrypted value: the nonce, and the ciphertext with its authentication tag, both in base64url. */
export interface Sealed {
  /** The nonce, which is 12 bytes long. */
  readonly nonce: string
  /** The ciphertext, followed by the 16-byte tag. */
  readonly sealed: string
}

/** Encrypts `plaintext` with AES-256-GCM and a fresh nonce. `additionalData` is authenticated, but not encrypted. */
export async function seal(
  environment: CryptoEnvironment,
  key: Bytes,
  plaintext: Bytes,
  additionalData: CanonicalValue,
): Promise<Sealed> {
  const nonce = environment.random(12)
  const cryptoKey = await environment.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: canonicalJsonBytes(additionalData) }
  const sealed = await environment.subtle.encrypt(algorithm, cryptoKey, plaintext)
  return { nonce: toBase64Url(nonce), sealed: toBase64Url(new Uint8Array(sealed)) }
}

/** Decrypts a sealed value. Resolves to `undefined` if the key, the ciphertext or `additionalData` does not match. */
export async function unseal(
  environment: CryptoEnvironment,
  key: Bytes,
  { nonce, sealed }: Sealed,
  additionalData: CanonicalValue,
): Promise<Bytes | undefined> {
  const [iv, ciphertext] = [fromBase64Url(nonce), fromBase64Url(sealed)]
  if (iv?.length !== 12 || !ciphertext) return undefined
  const cryptoKey = await environment.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
  const algorithm = { name: 'AES-GCM', iv: iv as Bytes, additionalData: canonicalJsonBytes(additionalData) }
  try {
    return new Uint8Array(await environment.subtle.decrypt(algorithm, cryptoKey, ciphertext as Bytes))
  } catch {
    return undefined
  }
}

/** Derives 32 bytes from `cryptoKey` with HKDF-SHA-256. Each `purpose` yields a different key. */
export async function deriveKey(
  environment: CryptoEnvironment,
  cryptoKey: Bytes,
  salt: Bytes,
  purpose: CanonicalValue,
): Promise<Bytes> {
  const key = await environment.subtle.importKey('raw', cryptoKey, 'HKDF', false, ['deriveBits'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info: canonicalJsonBytes(purpose) }
  return new Uint8Array(await environment.subtle.deriveBits(algorithm, key, 256))
}

/** Returns the HMAC-SHA-256 of the canonical JSON for `text`, in base64url. */
export async function hmacSha256(environment: CryptoEnvironment, key: Bytes, text: CanonicalValue): Promise<string> {
  const cryptoKey = await environment.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return toBase64Url(new Uint8Array(await environment.subtle.sign('HMAC', cryptoKey, canonicalJsonBytes(text))))
}
