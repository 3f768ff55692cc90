const units = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A length of time in the largest unit that fits it whole: "1 week", "30 days". */
export function formatPeriod(seconds: number, locale: string): string {
  const [unit, size] = units.find(([, size]) => seconds % size === 0) ?? ['second', 1]
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}

/** A day and its time. */
export function formatDateTime(seconds: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(seconds * 1000))
}

/** The month of a moment, as a heading over what happened in it. */
export function formatMonth(seconds: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }).format(new Date(seconds * 1000))
}
