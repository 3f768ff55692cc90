import { exportJWK, generateKeyPair } from 'jose'

/** Generates an ES256 private key as a JSON Web Key. */
export async function newSigningKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)) }
}
