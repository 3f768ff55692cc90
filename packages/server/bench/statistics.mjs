/** Returns a seeded random generator (mulberry32) for numbers from 0 to 1, the same on every platform. @param {number} seed */
export function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns the median of `values`. @param {readonly number[]} values */
export function median(values) {
  return percentile(values, 50)
}

/** Returns the value that `percent` percent of `values` are below. @param {readonly number[]} values @param {number} percent */
export function percentile(values, percent) {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? Number.NaN
}
