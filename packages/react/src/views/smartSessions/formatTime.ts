const units = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Formats a duration in the largest unit that divides it evenly, such as "1 week" or "30 days". */
export function formatPeriod(seconds: number, locale: string): string {
  const [unit, size] = units.find(([, size]) => seconds % size === 0) ?? ['second', 1]
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}

/** Formats a date and time. `seconds` is a Unix timestamp. */
export function formatDateTime(seconds: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(seconds * 1000))
}

/** Formats the month of a Unix timestamp, for use as a heading. */
export function formatMonth(seconds: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }).format(new Date(seconds * 1000))
}
