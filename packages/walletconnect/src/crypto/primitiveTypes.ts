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
