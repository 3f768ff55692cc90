/** Generates an ES256 private key as a JSON Web Key. */
export async function newSigningKey(): Promise<Record<string, unknown>> {
  // The library is loaded only when a key is created, because many servers never need it.
  const { exportJWK, generateKeyPair } = await import('jose')
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)) }
}
