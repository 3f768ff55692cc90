import type { Bytes, Clock, CryptoEnvironment } from '../cryptoEnvironment.ts'

/**
 * Returns an environment with reproducible random numbers (mulberry32 with `seed`) and the real WebCrypto. Never use it for real
 * keys.
 */
export function seededEnvironment(seed: number, clock: Clock): CryptoEnvironment {
  let state = seed >>> 0
  const byte = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) & 0xff
  }
  return { clock, subtle: crypto.subtle, random: (count): Bytes => Uint8Array.from({ length: count }, byte) }
}
