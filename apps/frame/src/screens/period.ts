const minute = 60
const hour = 60 * minute
const day = 24 * hour

const units: readonly (readonly [seconds: number, one: string, many: string])[] = [
  [30 * day, 'every 30 days', 'every {count} × 30 days'],
  [7 * day, 'every week', 'every {count} weeks'],
  [day, 'every day', 'every {count} days'],
  [hour, 'every hour', 'every {count} hours'],
  [minute, 'every minute', 'every {count} minutes'],
  [1, 'every second', 'every {count} seconds'],
]

/** How often something begins anew, as a person says it. */
export function periodText(seconds: number): string {
  for (const [unit, one, many] of units) {
    if (seconds % unit !== 0) continue
    const count = seconds / unit
    return count === 1 ? one : many.replace('{count}', String(count))
  }
  return `every ${seconds} seconds`
}

/** A moment with its day, in the visitor's own time. */
export function timeText(seconds: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(seconds * 1000))
}
