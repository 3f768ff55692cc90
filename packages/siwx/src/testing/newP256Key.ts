import { exportJWK, generateKeyPair, type JWK } from 'jose'

/** Creates a private key (ES256) as a JWK, for use as the `secret` of `createSignIn`. */
export async function newP256Key(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return exportJWK(privateKey)
}
