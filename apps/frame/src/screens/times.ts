import { localeHere } from './localeHere.ts'

const format: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** When something happened or ends, as people of this place write it. */
export function timeOf(at: number): string {
  return new Intl.DateTimeFormat(localeHere(), format).format(at)
}
