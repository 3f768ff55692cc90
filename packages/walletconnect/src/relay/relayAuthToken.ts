import { toBase58, toBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import type { Primitives } from '../crypto/primitives.ts'

/** How long a token is good for, in seconds. */
const tokenTtl = 86_400

/** The did:key of an Ed25519 public key (W3C did:key): the multicodec 0xed01 before it, in base58btc. */
export function didKey(publicKey: Uint8Array): string {
  return `did:key:z${toBase58(Uint8Array.from([0xed, 0x01, ...publicKey]))}`
}

/** The token that a relay asks for: a JWT that its own key vouches for. */
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
