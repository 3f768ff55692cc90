import type { Primitives } from './primitiveTypes.ts'

/** The part of the global `crypto` object that the client uses. Tests pass an object that lacks some algorithms. */
export type CryptoSource = Pick<Crypto, 'getRandomValues'> & { readonly subtle?: SubtleCrypto | undefined }

/**
 * Loads the primitives from WebCrypto. Those that the engine does not support are loaded from a library. `subtle` is undefined
 * outside secure contexts.
 */
export async function primitives(source: CryptoSource = globalThis.crypto): Promise<Primitives> {
  const { subtle } = source
  const [web, agreement, signature, cipher] = await Promise.all([
    subtle && import('./webCrypto.ts'),
    has(subtle, 'X25519', 'deriveBits'),
    has(subtle, 'Ed25519', 'sign'),
    has(subtle, 'ChaCha20-Poly1305', 'encrypt'),
  ])
  const [curves, ciphers, hashes] = await Promise.all([
    agreement && signature ? undefined : import('./nobleCurves.ts'),
    cipher ? undefined : import('./nobleCipher.ts'),
    subtle ? undefined : import('./nobleHashes.ts'),
  ])
  const native = web && subtle ? web.webCrypto(subtle) : undefined
  const loaded = {
    ...native,
    ...hashes?.hashes,
    ...(agreement ? {} : { agreement: curves?.agreement }),
    ...(signature ? {} : { signature: curves?.signature }),
    ...(cipher ? {} : { cipher: ciphers?.cipher }),
  } as Omit<Primitives, 'random'>
  return { ...loaded, random: (length) => source.getRandomValues(new Uint8Array(length)) }
}

/** Whether the engine supports `name`. Generating a key is the only way to find out. */
async function has(subtle: SubtleCrypto | undefined, name: string, usage: KeyUsage): Promise<boolean> {
  if (!subtle) return false
  try {
    const usages: KeyUsage[] =
      usage === 'sign' ? ['sign', 'verify'] : usage === 'encrypt' ? ['encrypt', 'decrypt'] : [usage]
    await subtle.generateKey({ name }, false, usages)
    return true
  } catch {
    return false
  }
}
