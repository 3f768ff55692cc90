/** The units of a short relative time. */
export type ShortUnit = 'sec' | 'min' | 'hr' | 'd' | 'mo' | 'yr'

/** Returns the elapsed time in its largest whole unit. A time in the future counts as now. */
export function timeAgo(thenMs: number, nowMs: number): { readonly count: number; readonly unit: ShortUnit } {
  const seconds = Math.max(0, Math.floor((nowMs - thenMs) / 1000))
  for (const [unit, size] of units) {
    if (seconds >= size) return { count: Math.floor(seconds / size), unit }
  }
  return { count: seconds, unit: 'sec' }
}

/** Returns the elapsed time in English: "sec", "1 min", "2 hrs", "3 d", "4 mo", "5 yr". */
export function timeAgoText(thenMs: number, nowMs: number): string {
  const { count, unit } = timeAgo(thenMs, nowMs)
  if (unit === 'sec') return 'sec'
  return `${count} ${unit === 'hr' && count > 1 ? 'hrs' : unit}`
}

const units = [
  ['yr', 31_536_000],
  ['mo', 2_592_000],
  ['d', 86_400],
  ['hr', 3_600],
  ['min', 60],
] as const

/** Shortens a text in the middle: `0x12…cdef34`. Unchanged if that would not make it shorter. */
export function middleEllipsis(text: string, { start = 4, end = 6 }: { start?: number; end?: number } = {}): string {
  if (text.length <= start + end + 1) return text
  return `${text.slice(0, start)}…${end > 0 ? text.slice(-end) : ''}`
}

/** Splits an address into groups of four characters for visual comparison: `['0x12', '3456', …]`. */
export function addressGroups(address: string): readonly string[] {
  return address.match(/.{1,4}/gs) ?? []
}
