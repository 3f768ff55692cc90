/** Shortens text in the middle, as in `0x12…cdef34`. Returns the text unchanged if the result would not be shorter. */
export function middleEllipsis(text: string, { start = 4, end = 6 }: { start?: number; end?: number } = {}): string {
  if (text.length <= start + end + 1) return text
  return `${text.slice(0, start)}…${end > 0 ? text.slice(-end) : ''}`
}

/** Splits an address into groups of four characters for visual comparison: `['0x12', '3456', …]`. */
export function addressGroups(address: string): readonly string[] {
  return address.match(/.{1,4}/gs) ?? []
}
