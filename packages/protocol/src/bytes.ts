import { base58, base64, base64urlnopad, hex } from '@scure/base'

/** Encodes `bytes` as lowercase hex with a `0x` prefix. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${hex.encode(bytes)}`
}

/** Decodes hex with or without a `0x` prefix. Returns `undefined` if the text is invalid. */
export function fromHex(text: string): Uint8Array | undefined {
  return attempt(() => hex.decode(text.replace(/^0x/i, '').toLowerCase()))
}

/** Encodes `bytes` as base58 with Bitcoin's alphabet. */
export function toBase58(bytes: Uint8Array): string {
  return base58.encode(bytes)
}

/**
 * Decodes base58. Returns `undefined` if the text is invalid or has more than 1,700 characters, which is enough for the longest
 * Solana transaction (1,232 bytes). The length is limited because decoding takes quadratic time.
 */
export function fromBase58(text: string): Uint8Array | undefined {
  return text.length > 1700 ? undefined : attempt(() => base58.decode(text))
}

/** Encodes `bytes` as base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return base64.encode(bytes)
}

/** Decodes padded base64. Returns `undefined` if the text is invalid. */
export function fromBase64(text: string): Uint8Array | undefined {
  return attempt(() => base64.decode(text))
}

/** Encodes `bytes` as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes)
}

/** Decodes unpadded base64url. Returns `undefined` if the text is invalid. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  return attempt(() => base64urlnopad.decode(text))
}

/** Encodes `text` as UTF-8. */
export function toUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Decodes UTF-8. Returns `undefined` if the bytes are invalid. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  return attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
}

/** Whether two byte arrays are equal. Takes constant time for arrays of the same length. */
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
