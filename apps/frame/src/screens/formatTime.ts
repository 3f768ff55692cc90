import { currentLocale } from './currentLocale.ts'

const format: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** When something happened or ends, as people of this place write it. */
export function formatTime(at: number): string {
  return new Intl.DateTimeFormat(currentLocale(), format).format(at)
}
