import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'

/** How long a token is valid, in seconds. */
const lifeSeconds = 120

/**
 * Creates the function that signs a token (JWT) for a request to Coinbase's API, as its documentation on API keys describes. A
 * token is only valid for one method, host and path.
 */
export function createCoinbaseTokens({
  keyId,
  keySecret,
  now,
}: {
  keyId: string
  /** A PEM key (ECDSA), or the base64 of an Ed25519 seed and its public key. */
  keySecret: string
  /** Epoch milliseconds. */
  now: () => number
}): (request: { method: string; url: URL }) => Promise<string> {
  const { key, algorithm } = signingKey(keySecret)
  return async ({ method, url }) => {
    const issuedAt = Math.floor(now() / 1000)
    return new SignJWT({ sub: keyId, iss: 'cdp', aud: ['cdp_service'], uris: [`${method} ${url.host}${url.pathname}`] })
      .setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'JWT', nonce: randomBytes(16).toString('hex') })
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + lifeSeconds)
      .sign(key)
  }
}

function signingKey(secret: string): { key: KeyObject; algorithm: 'ES256' | 'EdDSA' } {
  if (secret.startsWith('-----BEGIN')) return { key: createPrivateKey(secret), algorithm: 'ES256' }
  const bytes = Buffer.from(secret, 'base64')
  const d = bytes.subarray(0, 32).toString('base64url')
  const x = bytes.subarray(32).toString('base64url')
  return { key: createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' }), algorithm: 'EdDSA' }
}
