import { fromBase64Url, fromUtf8, toUtf8 } from '@latchkey/protocol/bytes'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'

/**
 * The verdict on the page that sent a message: `valid` if its origin matches its URL, `invalid` if the attestation is for a
 * different origin or message, `scam` if the verify service lists the page as a scam, and `unknown` if its origin cannot be
 * verified.
 */
export type Verdict = 'valid' | 'invalid' | 'scam' | 'unknown'

/** A verify service's public key, as a P-256 JWK. */
export interface VerifyKey {
  /** The key type (RFC 7517). */
  readonly kty: 'EC'
  /** The curve (RFC 7518). */
  readonly crv: 'P-256'
  /** The x coordinate, in base64url. */
  readonly x: string
  /** The y coordinate, in base64url. */
  readonly y: string
}

const headerSchema = v.object({ alg: v.literal('ES256'), crit: v.optional(v.never()) })
const claimsSchema = v.object({
  id: v.string(),
  origin: v.string(),
  exp: v.number(),
  isScam: v.nullish(v.boolean()),
  isVerified: v.nullish(v.boolean()),
})

/** Verifies an attestation. The verdict is `unknown` if the signature is invalid or the attestation has expired. */
export async function verifyAttestation(
  attestation: string | undefined,
  {
    publicKey,
    id,
    origin,
    now,
    subtle = globalThis.crypto?.subtle,
  }: {
    publicKey: VerifyKey
    /** The SHA-256 hash of the received message, in hex. */
    id: string
    /** The page's self-reported URL or origin. */
    origin: string
    /** The current time, in epoch milliseconds. */
    now: number
    subtle?: SubtleCrypto | undefined
  },
): Promise<Verdict> {
  const [header = '', payload = '', signature = '', ...more] = (attestation ?? '').split('.')
  const claims = read(claimsSchema, parseJsonPart(payload))
  const signed = fromBase64Url(signature)
  if (!claims || !read(headerSchema, parseJsonPart(header)) || !signed || more.length > 0 || !subtle) return 'unknown'
  if (claims.exp * 1000 <= now) return 'unknown'
  const { x, y } = publicKey
  const kind = { name: 'ECDSA', namedCurve: 'P-256' }
  const isSigned = await subtle
    .importKey('jwk', { kty: 'EC', crv: 'P-256', x, y }, kind, false, ['verify'])
    .then((key) =>
      subtle.verify(
        { name: 'ECDSA', hash: 'SHA-256' },
        key,
        Uint8Array.from(signed),
        Uint8Array.from(toUtf8(`${header}.${payload}`)),
      ),
    )
    .catch(() => false)
  if (!isSigned) return 'unknown'
  if (claims.isScam) return 'scam'
  // The attestation was issued for a different message or page.
  if (claims.id !== id || !URL.canParse(origin) || new URL(origin).origin !== claims.origin) return 'invalid'
  return claims.isVerified ? 'valid' : 'unknown'
}

function parseJsonPart(part: string): unknown {
  try {
    const bytes = fromBase64Url(part)
    return bytes && JSON.parse(fromUtf8(bytes) ?? '')
  } catch {
    return undefined
  }
}
