import { generateKeyPairSync, sign } from 'node:crypto'
import { toBase58 } from '@latchkey/protocol/bytes'

/** The default audience of test tokens. */
export const relayHost = 'relay.example'

/** Creates a token like the ones that relay clients create. `more` overrides claims, and `tamper` alters the signed token. */
export function relayToken(
  now: number,
  more: Record<string, unknown> = {},
  tamper = (text: string): string => text,
): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const iat = Math.floor(now / 1000)
  const claims = {
    iss: `did:key:z${toBase58(Uint8Array.from([0xed, 1, ...raw]))}`,
    sub: '00',
    aud: `wss://${relayHost}`,
    iat,
    exp: iat + 86_400,
    ...more,
  }
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part(claims)}`
  return tamper(`${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`)
}
