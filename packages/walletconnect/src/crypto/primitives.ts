/** The cryptographic primitives that the protocol uses. Keys, secrets and messages are raw bytes. */
export interface Primitives {
  random(length: number): Uint8Array
  sha256(data: Uint8Array): Promise<Uint8Array>
  /** Derives 32 bytes from `secret` with HKDF-SHA-256 (RFC 5869), without a salt or info. */
  hkdf(secret: Uint8Array): Promise<Uint8Array>
  readonly agreement: Agreement
  readonly signature: Signature
  readonly cipher: Cipher
}

/** X25519 key agreement (RFC 7748). Any 32 bytes can be a private key. */
export interface Agreement {
  publicKey(privateKey: Uint8Array): Promise<Uint8Array>
  /** Derives the shared secret. Rejects if the public key has a small order, because the secret would be predictable. */
  shared(privateKey: Uint8Array, publicKey: Uint8Array): Promise<Uint8Array>
}

/** Ed25519 signatures (RFC 8032). Private keys are passed as 32-byte seeds. */
export interface Signature {
  publicKey(seed: Uint8Array): Promise<Uint8Array>
  sign(seed: Uint8Array, data: Uint8Array): Promise<Uint8Array>
  verify(publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array): Promise<boolean>
}

/** ChaCha20-Poly1305 encryption (RFC 8439) without additional data. The tag is appended to the ciphertext. */
export interface Cipher {
  seal(key: Uint8Array, iv: Uint8Array, text: Uint8Array): Promise<Uint8Array>
  /** Decrypts a ciphertext. Rejects if the tag is invalid. */
  open(key: Uint8Array, iv: Uint8Array, sealed: Uint8Array): Promise<Uint8Array>
}

/** The part of the global `crypto` object that the client uses. Tests pass an object that lacks some algorithms. */
export type CryptoSource = Pick<Crypto, 'getRandomValues'> & { readonly subtle?: SubtleCrypto | undefined }

/**
 * Loads the primitives from WebCrypto, and from a library if the engine does not support an algorithm. `subtle` is undefined
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
