import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** Digests with the operator's secret: what is stored of cookies, codes and addresses in place of themselves. */
export interface Digest {
  (kind: string, ...parts: readonly string[]): string
  /** With each of the secrets, the newest first: what was stored under an older one is found as well. */
  all(kind: string, ...parts: readonly string[]): readonly string[]
}

/** A digest over the operator's secrets, the newest first. */
export function createDigest(secrets: readonly string[]): Digest {
  const under = (secret: string, all: readonly string[]) =>
    createHmac('sha256', secret)
      // As JSON, so that no two lists of parts read the same.
      .update(JSON.stringify(all))
      .digest('base64url')
  return Object.assign((...all: readonly string[]) => under(secrets[0] ?? '', all), {
    all: (...all: readonly string[]) => secrets.map((secret) => under(secret, all)),
  })
}

/** A digest without a secret: only for what nobody could guess. */
export function hashOf(kind: string, secret: string): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, secret]))
    .digest('base64url')
}

/** 256 random bits, base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Six random digits, each code as likely as any other. */
export function randomCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function sameText(first: string, second: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(second)]
  return a.length === b.length && timingSafeEqual(a, b)
}
