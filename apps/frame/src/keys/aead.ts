import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { type Canonical, canonicalBytes } from './canonical.ts'
import type { Bytes, Machine } from './ports.ts'

/** A sealed text: what was drawn for it, and the ciphertext with its tag. */
export interface Sealed {
  readonly nonce: string
  readonly sealed: string
}

/** `plain` under AES-256-GCM with a fresh nonce; `beside` is authenticated with it. */
export async function seal(machine: Machine, key: Bytes, plain: Bytes, beside: Canonical): Promise<Sealed> {
  const nonce = machine.random(12)
  const secret = await machine.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: canonicalBytes(beside) }
  const sealed = await machine.subtle.encrypt(algorithm, secret, plain)
  return { nonce: toBase64Url(nonce), sealed: toBase64Url(new Uint8Array(sealed)) }
}

/** What was sealed, or `undefined` when key, ciphertext or `beside` is another. */
export async function unseal(
  machine: Machine,
  key: Bytes,
  { nonce, sealed }: Sealed,
  beside: Canonical,
): Promise<Bytes | undefined> {
  const [iv, ciphertext] = [fromBase64Url(nonce), fromBase64Url(sealed)]
  if (iv?.length !== 12 || !ciphertext) return undefined
  const secret = await machine.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
  const algorithm = { name: 'AES-GCM', iv: iv as Bytes, additionalData: canonicalBytes(beside) }
  try {
    return new Uint8Array(await machine.subtle.decrypt(algorithm, secret, ciphertext as Bytes))
  } catch {
    return undefined
  }
}

/** 32 bytes from `secret` by HKDF-SHA-256; `use` keeps keys of different purpose apart. */
export async function derived(machine: Machine, secret: Bytes, salt: Bytes, use: Canonical): Promise<Bytes> {
  const key = await machine.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info: canonicalBytes(use) }
  return new Uint8Array(await machine.subtle.deriveBits(algorithm, key, 256))
}

/** HMAC-SHA-256 of `text` in base64url. */
export async function tagOf(machine: Machine, key: Bytes, text: Canonical): Promise<string> {
  const secret = await machine.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return toBase64Url(new Uint8Array(await machine.subtle.sign('HMAC', secret, canonicalBytes(text))))
}
