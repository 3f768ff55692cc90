/** A seeded random generator for property tests. The same seed always produces the same values, so failures can be reproduced. */
export interface SeededRandom {
  /** Returns an integer from 0 up to, but not including, `max`. */
  int(max: number): number
  /** Returns a random item from a list. */
  pick<T>(list: readonly T[]): T
  /** Returns a string of `min` to `max` letters, digits and hyphens. */
  word(min: number, max: number): string
  /** Returns a number with `count` decimal digits and no leading zeros. */
  digits(count: number): string
}

/** Creates a random generator from a seed (mulberry32). */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-']
  const int = (max: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max
  }
  const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T
  const repeat = (count: number, make: () => string): string => Array.from({ length: count }, make).join('')
  return {
    int,
    pick,
    word: (min, max) => repeat(min + int(max - min + 1), () => pick(letters)),
    digits: (count) => String(1 + int(9)) + repeat(count - 1, () => String(int(10))),
  }
}
