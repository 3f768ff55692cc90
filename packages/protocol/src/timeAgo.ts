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
