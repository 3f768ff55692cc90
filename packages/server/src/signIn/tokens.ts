import { importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'

/**
 * What tokens are signed with: a text of 32 characters or more (HS256), or the private JWK of a P-256 key (ES256), whose public half
 * other back ends can check sessions with.
 */
export type SignInSecret = string | JWK

/** The kinds of token. Each says in its header which one it is, so that none passes for the other. */
export type TokenKind = 'nonce' | 'session'

const types: Readonly<Record<TokenKind, string>> = {
  nonce: 'latchkey-nonce+jwt',
  session: 'latchkey-session+jwt',
}

/** Signs and reads the tokens of one server. */
export interface Tokens {
  sign(kind: TokenKind, claims: JWTPayload & { exp: number }): Promise<string>
  /** The claims; `undefined` where it is another's, of another kind or audience, or over. */
  read(kind: TokenKind, token: string, expected: { audience: string; now: number }): Promise<JWTPayload | undefined>
  /** What anybody may check sessions with (RFC 7517); empty where only who can sign can check. */
  publicKeys(): Promise<{ keys: JWK[] }>
}

/** The tokens under `secret`. A secret that is none throws. */
export function createTokens({
  secret,
  issuer,
}: {
  secret: SignInSecret | (() => Promise<JWK>)
  issuer: string
}): Tokens {
  if (typeof secret === 'string' && secret.length < 32)
    throw new TypeError('The secret of sign-in has to be 32 characters or longer: take 32 random bytes.')
  const algorithm = typeof secret === 'string' ? 'HS256' : 'ES256'
  const given = lazily(async () => (typeof secret === 'function' ? await secret() : secret))
  const keys = lazily(async () => {
    const secret = await given()
    if (typeof secret === 'string') {
      const bytes = new TextEncoder().encode(secret)
      return { sign: bytes, check: bytes, shown: [] }
    }
    const { kty, crv, x, y, d } = v.parse(privateP256, secret)
    const open = { kty, crv, x, y }
    const [sign, check] = await Promise.all([importJWK({ ...open, d }, algorithm), importJWK(open, algorithm)])
    return { sign, check, shown: [{ ...open, alg: algorithm, use: 'sig' }] }
  })

  return {
    sign: async (kind, claims) =>
      new SignJWT({ ...claims, iss: issuer })
        .setProtectedHeader({ alg: algorithm, typ: types[kind] })
        .sign((await keys()).sign),
    read: async (kind, token, { audience, now }) => {
      const { check } = await keys()
      const read = await jwtVerify(token, check, {
        algorithms: [algorithm],
        typ: types[kind],
        issuer,
        audience,
        requiredClaims: ['exp'],
        currentDate: new Date(now),
      }).catch(() => undefined)
      // The library leaves an empty audience unchecked, and takes a list for each of its members.
      return read?.payload.aud === audience ? read.payload : undefined
    },
    publicKeys: async () => ({ keys: (await keys()).shown }),
  }
}

const base64url = v.pipe(v.string(), v.regex(/^[\w-]+$/))
const privateP256 = v.object({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: base64url,
  y: base64url,
  d: base64url,
})

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      // The next one may have more luck: a database that was down is no fault of the key.
      made = undefined
      throw error
    })
    return made
  }
}
