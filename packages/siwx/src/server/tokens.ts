import { decodeProtectedHeader, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'

/**
 * The key that signs tokens: a string of at least 32 characters (HS256), or the private JWK of a P-256 key (ES256). With a P-256
 * key, other back ends can use the public key to verify sessions.
 */
export type SignInSecret = string | JWK

/**
 * Thrown if the `secret` of `createSignIn` is missing or too short. Calls that need the secret reject with this error, but
 * `createSignIn` itself does not throw, so that a build works without it.
 */
export class SignInSecretError extends TypeError {
  /** Always `SignInSecretError`. */
  override readonly name = 'SignInSecretError'
  /** The error code. Always `sign-in/no-secret`. */
  readonly code = 'sign-in/no-secret'

  constructor() {
    super(
      'createSignIn requires a `secret` of at least 32 characters. Generate one with `openssl rand -base64 32`, and check that the environment variable it is read from is set on this server.',
    )
  }
}

/** The kinds of tokens. The `typ` header contains the kind, so that a token of one kind is never accepted as the other kind. */
export type TokenKind = 'nonce' | 'session'

const types: Readonly<Record<TokenKind, string>> = {
  nonce: 'latchkey-nonce+jwt',
  session: 'latchkey-session+jwt',
}

/** Signs and verifies the tokens of one server. */
export interface Tokens {
  /** Resolves to a signed JWT (RFC 7519) with these claims and the issuer. `exp` is in Unix seconds. */
  sign(kind: TokenKind, claims: JWTPayload & { exp: number }): Promise<string>
  /** Resolves to a token's claims, or to `undefined` if its signature, issuer, kind or audience is wrong or it has expired. */
  read(kind: TokenKind, token: string, expected: { audience: string; now: number }): Promise<JWTPayload | undefined>
  /** Resolves to the public keys that verify sessions (RFC 7517). Empty for HS256. */
  publicKeys(): Promise<{ keys: JWK[] }>
}

/** A key that signs and verifies tokens. */
export interface TokenKey {
  /** The `kid` of the tokens that this key signs. Tokens without a `kid` are checked with every key. */
  readonly id?: string | undefined
  /** The secret or private key. Its type selects the algorithm, as described for `SignInSecret`. */
  readonly secret: SignInSecret
}

/** Keys that can change while the server is running. The first key signs, and all keys are accepted. */
export interface TokenKeys {
  /** Resolves to the current keys, starting with the signing key. */
  keys(): Promise<readonly TokenKey[]>
  /** Reloads the keys and resolves to them. Called for a token whose key ID is unknown. */
  refreshed(): Promise<readonly TokenKey[]>
}

/**
 * Creates the functions that sign and verify a server's tokens. If there are several secrets, the first one signs and all of them
 * are accepted. If a secret is invalid, `sign` and `read` reject.
 *
 * @example
 * const tokens = createTokens({ secret: process.env.SIGN_IN_SECRET ?? '', issuer: 'shop.example' })
 */
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
    // Also drops keys that are no longer in use.
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
      if (!first) throw new Error('There is no signing key.')
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
        // jose does not check an empty expected audience, and accepts tokens with a list of audiences.
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
    return (Array.isArray(secret) ? (secret as readonly SignInSecret[]) : [secret as SignInSecret]).map((item) => ({
      secret: item,
    }))
  }
  return { keys, refreshed: keys }
}

/** Throws a `SignInSecretError` if `secret` is missing or too short. */
export function requireSecret(secret: SignInSecret | readonly SignInSecret[]): void {
  const all: readonly unknown[] = Array.isArray(secret) ? secret : [secret]
  const isMissing = (item: unknown) => (typeof item === 'string' ? item.length < 32 : typeof item !== 'object' || !item)
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
