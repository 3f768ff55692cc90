import { toBase58, toBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import type { Primitives } from '../crypto/primitiveTypes.ts'

/** The lifetime of a token, in seconds. */
const tokenTtl = 86_400

/** Encodes an Ed25519 public key as a W3C did:key, which is the multicodec prefix 0xed01 followed by the key, in base58btc. */
export function didKey(publicKey: Uint8Array): string {
  return `did:key:z${toBase58(Uint8Array.from([0xed, 0x01, ...publicKey]))}`
}

/** Creates the auth token for a relay: a JWT signed with the client's own key. */
export async function relayToken(
  crypto: Primitives,
  { seed, audience, now }: { seed: Uint8Array; audience: string; now: number },
): Promise<string> {
  const issued = Math.floor(now / 1000)
  const part = (value: unknown): string => toBase64Url(toUtf8(JSON.stringify(value)))
  const subject = [...crypto.random(32)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const content = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part({
    iss: didKey(await crypto.signature.publicKey(seed)),
    sub: subject,
    aud: audience,
    iat: issued,
    exp: issued + tokenTtl,
    act: 'client_auth',
  })}`
  return `${content}.${toBase64Url(await crypto.signature.sign(seed, toUtf8(content)))}`
}
