import { base58, base64, base64urlnopad, hex } from '@scure/base'

/** `bytes` as lower-case hex after `0x`. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${hex.encode(bytes)}`
}

/** The bytes of a hex text, with or without `0x`, or `undefined` when it is none. */
export function fromHex(text: string): Uint8Array | undefined {
  return attempt(() => hex.decode(text.replace(/^0x/i, '').toLowerCase()))
}

/** `bytes` in Bitcoin's base58. */
export function toBase58(bytes: Uint8Array): string {
  return base58.encode(bytes)
}

/**
 * The bytes of a base58 text, or `undefined` when it is none. Decoding is quadratic, so texts are refused that are longer than the
 * longest transaction of Solana (1,232 bytes) can be.
 */
export function fromBase58(text: string): Uint8Array | undefined {
  return text.length > 1700 ? undefined : attempt(() => base58.decode(text))
}

/** `bytes` in base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return base64.encode(bytes)
}

/** The bytes of a padded base64 text, or `undefined` when it is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  return attempt(() => base64.decode(text))
}

/** `bytes` in the base64 of URLs, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes)
}

/** The bytes of an unpadded URL base64 text, or `undefined` when it is none. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  return attempt(() => base64urlnopad.decode(text))
}

/** `text` in UTF-8. */
export function toUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** The text of UTF-8 bytes, or `undefined` when they are none. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  return attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
}

/** Whether two byte strings are equal, in a time that depends on their length only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= a[at]! ^ b[at]!
  return difference === 0
}

function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
