import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from './endpoint.ts'

/** The key that verifies attestations. */
export interface AttestationKey {
  /** A JSON Web Key (RFC 7517). */
  readonly publicKey: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  /** When to request the key again, in Unix seconds. */
  readonly expiresAt: number
}

const base64Url = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))

/** `GET /v3/public-key`: returns the key that verifies attestations. */
export const getAttestationKey: Endpoint<undefined, AttestationKey> = defineEndpoint({
  method: 'GET',
  path: '/v3/public-key',
  answer: v.object({
    publicKey: v.object({ kty: v.literal('EC'), crv: v.literal('P-256'), x: base64Url, y: base64Url }),
    expiresAt: v.number(),
  }),
})
