import { currentLocale } from '../texts/currentLocale.ts'

const format: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** Formats a time, given in milliseconds since the epoch, in the current locale. */
export function formatTime(at: number): string {
  return new Intl.DateTimeFormat(currentLocale(), format).format(at)
}
