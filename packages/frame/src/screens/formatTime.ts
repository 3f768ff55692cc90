import { currentLocale } from './currentLocale.ts'

const format: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** Formats a time (epoch milliseconds) in the current locale. */
export function formatTime(at: number): string {
  return new Intl.DateTimeFormat(currentLocale(), format).format(at)
}
