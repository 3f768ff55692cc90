const format: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** When something happened, as people of this place write it. */
export function timeOf(at: number): string {
  return new Intl.DateTimeFormat(undefined, format).format(at)
}
