import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** Creates keyed digests with the operator's secret. They are stored in place of cookies, codes and addresses. */
export interface Digest {
  (kind: string, ...parts: readonly string[]): string
  /** Returns one digest per secret, newest first, so that values stored under an older secret can be found. */
  all(kind: string, ...parts: readonly string[]): readonly string[]
}

/** Creates a digest function from the operator's secrets, newest first. */
export function createDigest(secrets: readonly string[]): Digest {
  const under = (secret: string, all: readonly string[]) =>
    createHmac('sha256', secret)
      // Serialized as JSON, so that different lists of parts never produce the same input.
      .update(JSON.stringify(all))
      .digest('base64url')
  return Object.assign((...all: readonly string[]) => under(secrets[0] ?? '', all), {
    all: (...all: readonly string[]) => secrets.map((secret) => under(secret, all)),
  })
}

/** Returns an unkeyed SHA-256 digest. Use it only for values that cannot be guessed. */
export function hashOf(kind: string, secret: string): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, secret]))
    .digest('base64url')
}

/** Returns 256 random bits as base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns six random digits, uniformly distributed. */
export function randomCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Compares two strings in constant time. */
export function sameText(first: string, second: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(second)]
  return a.length === b.length && timingSafeEqual(a, b)
}
