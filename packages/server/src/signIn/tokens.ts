import { decodeProtectedHeader, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'

/**
 * What tokens are signed with: a text of 32 characters or more (HS256), or the private JWK of a P-256 key (ES256), whose public half
 * other back ends can check sessions with.
 */
export type SignInSecret = string | JWK

/** `secret` of `createSignIn` is missing or too short. Thrown by the first call that needs it, so that a build can do without. */
export class SignInSecretError extends TypeError {
  override readonly name = 'SignInSecretError'
  readonly code = 'sign-in/no-secret'

  constructor() {
    super(
      'createSignIn needs a `secret` of 32 characters or more. Take 32 random bytes (`openssl rand -base64 32`), and check that the variable it is read from is set where this server runs.',
    )
  }
}

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

/** One of the secrets that tokens are checked with. */
export interface TokenKey {
  /** What tokens name it by; one without a name is tried for every token. */
  readonly id?: string | undefined
  readonly secret: SignInSecret
}

/** Secrets that change while the server runs: the first one signs, all are believed. */
export interface TokenKeys {
  keys(): Promise<readonly TokenKey[]>
  /** The same, read anew: for a token that names a key that is not among them. */
  refreshed(): Promise<readonly TokenKey[]>
}

/** The tokens under `secret`: of several, the first one signs and all are believed. Calls with a secret that is none throw. */
export function createTokens({
  secret,
  issuer,
}: {
  secret: SignInSecret | readonly SignInSecret[] | TokenKeys
  issuer: string
}): Tokens {
  const secrets: TokenKeys = isRing(secret) ? secret : fixedKeys(secret)
  const imported = new Map<string, Promise<ImportedKey>>()

  function importedKey(key: TokenKey): Promise<ImportedKey> {
    const name = JSON.stringify(key)
    const found = imported.get(name)
    if (found) return found
    // Those that were removed are forgotten.
    if (imported.size > 32) imported.clear()
    const made = importKey(key)
    imported.set(name, made)
    made.catch(() => imported.delete(name))
    return made
  }

  const importedKeys = (keys: readonly TokenKey[]) => Promise.all(keys.map(importedKey))

  async function candidates(token: string): Promise<readonly ImportedKey[]> {
    const id = keyIdOf(token)
    const keys = await secrets.keys()
    if (id === undefined) return importedKeys(keys)
    const named = (all: readonly TokenKey[]) => all.filter((key) => key.id === id)
    const found = named(keys)
    return importedKeys(found.length > 0 ? found : named(await secrets.refreshed()))
  }

  return {
    sign: async (kind, claims) => {
      const [first] = await secrets.keys()
      if (!first) throw new Error('There is no key to sign with.')
      const { algorithm, sign, id } = await importedKey(first)
      return new SignJWT({ ...claims, iss: issuer })
        .setProtectedHeader({ alg: algorithm, typ: types[kind], ...(id === undefined ? {} : { kid: id }) })
        .sign(sign)
    },
    read: async (kind, token, { audience, now }) => {
      for (const { algorithm, check } of await candidates(token)) {
        const read = await jwtVerify(token, check, {
          algorithms: [algorithm],
          typ: types[kind],
          issuer,
          audience,
          requiredClaims: ['exp'],
          currentDate: new Date(now),
        }).catch(() => undefined)
        // The library leaves an empty audience unchecked, and takes a list for each of its members.
        if (read?.payload.aud === audience) return read.payload
      }
      return undefined
    },
    publicKeys: async () => ({ keys: (await importedKeys(await secrets.keys())).flatMap(({ shown }) => shown) }),
  }
}

interface ImportedKey {
  readonly id: string | undefined
  readonly algorithm: 'HS256' | 'ES256'
  readonly sign: CryptoKey | Uint8Array
  readonly check: CryptoKey | Uint8Array
  readonly shown: readonly JWK[]
}

async function importKey({ id, secret }: TokenKey): Promise<ImportedKey> {
  if (typeof secret === 'string') {
    const bytes = new TextEncoder().encode(secret)
    return { id, algorithm: 'HS256', sign: bytes, check: bytes, shown: [] }
  }
  const algorithm = 'ES256'
  const { kty, crv, x, y, d } = v.parse(privateP256, secret)
  const open = { kty, crv, x, y }
  const [sign, check] = await Promise.all([importJWK({ ...open, d }, algorithm), importJWK(open, algorithm)])
  return { id, algorithm, sign, check, shown: [{ ...open, alg: algorithm, use: 'sig', ...(id && { kid: id }) }] }
}

function fixedKeys(secret: SignInSecret | readonly SignInSecret[]): TokenKeys {
  const keys = async () => {
    requireSecret(secret)
    return (Array.isArray(secret) ? (secret as readonly SignInSecret[]) : [secret as SignInSecret]).map((one) => ({
      secret: one,
    }))
  }
  return { keys, refreshed: keys }
}

/** Throws where tokens cannot be signed with `secret`. */
export function requireSecret(secret: SignInSecret | readonly SignInSecret[]): void {
  const all: readonly unknown[] = Array.isArray(secret) ? secret : [secret]
  const isMissing = (one: unknown) => (typeof one === 'string' ? one.length < 32 : typeof one !== 'object' || !one)
  if (all.length === 0 || all.some(isMissing)) throw new SignInSecretError()
}

function isRing(secret: SignInSecret | readonly SignInSecret[] | TokenKeys): secret is TokenKeys {
  return (
    typeof secret === 'object' &&
    secret !== null &&
    'keys' in secret &&
    typeof secret.keys === 'function' &&
    'refreshed' in secret
  )
}

function keyIdOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token)
    return typeof kid === 'string' ? kid : undefined
  } catch {
    return undefined
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
