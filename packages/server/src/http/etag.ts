import { createHash } from 'node:crypto'

/** Returns a strong ETag in quotes (RFC 9110), which is derived from the content. */
export function etagOf(content: Uint8Array | string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}
