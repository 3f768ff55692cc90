import { createPublicKey, verify } from 'node:crypto'
import { fromBase58, toBase64Url } from '@latchkey/protocol/bytes'
import * as v from 'valibot'

/** The tolerated clock skew of clients, in seconds. */
const clockSkewSeconds = 120
/** The maximum lifetime of a token, in seconds. Clients use one day. */
const maxLifetimeSeconds = 7 * 86_400
const headerSchema = v.object({ alg: v.literal('EdDSA'), crit: v.optional(v.never()) })
const claimsSchema = v.object({
  iss: v.string(),
  aud: v.string(),
  sub: v.optional(v.string()),
  iat: v.number(),
  exp: v.number(),
})

/** Thrown if a token is invalid. The message is part of the wire format. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
}

/**
 * Returns the did:key that signed a token. `audiences` lists this server's host names, and `now` is in epoch milliseconds.
 *
 * @throws {TokenError} if the token is invalid.
 */
export function verifyClientJwt(
  token: string,
  { audiences, now }: { audiences: readonly string[] | undefined; now: number },
): string {
  const refuse = (why: string): never => {
    throw new TokenError(`JWT validation error: ${why}`)
  }
  if (token.length > 4_096) refuse('JWT is too long')
  const parts = token.split('.')
  if (parts.length !== 3) refuse('JWT is malformed')
  const [header, payload, signature] = parts as [string, string, string]
  let claims: v.InferOutput<typeof claimsSchema>
  try {
    v.parse(headerSchema, decodePart(header))
    claims = v.parse(claimsSchema, decodePart(payload))
  } catch {
    return refuse('JWT is malformed')
  }
  const x = didKeyBytes(claims.iss)
  if (!x) return refuse('JWT issuer is not an Ed25519 did:key')
  // Verified synchronously. For a single small signature, the thread pool costs more, and each of its threads needs memory.
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(x) }, format: 'jwk' })
  const signedContent = Buffer.from(`${header}.${payload}`)
  if (!verify(null, signedContent, key, Buffer.from(signature, 'base64url'))) return refuse('JWT signature is invalid')
  const seconds = now / 1000
  if (claims.iat > seconds + clockSkewSeconds) refuse('JWT Token is not yet valid')
  if (claims.exp < seconds - clockSkewSeconds) refuse('JWT Token has expired')
  if (claims.exp > claims.iat + maxLifetimeSeconds) refuse('JWT is valid for more than 7 days')
  if (audiences && !audiences.some((name) => hostOf(name) === hostOf(claims.aud)))
    refuse('JWT audience is a different relay')
  return claims.iss
}

function decodePart(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}

/** Returns the host in an audience. The audience is a host name, or a URL whose scheme and path are ignored. */
function hostOf(audience: string): string {
  const host = URL.canParse(audience) && audience.includes('//') ? new URL(audience).host : audience.toLowerCase()
  return host.replace(/:(80|443)$/, '')
}

/** Returns the Ed25519 public key in a did:key, or `undefined` if it does not contain one. */
function didKeyBytes(did: string): Uint8Array | undefined {
  const match = /^did:key:z([1-9A-HJ-NP-Za-km-z]{40,60})$/.exec(did)
  const bytes = fromBase58(match?.[1] ?? '')
  return bytes?.length === 34 && bytes[0] === 0xed && bytes[1] === 0x01 ? bytes.slice(2) : undefined
}
