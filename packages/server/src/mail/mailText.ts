import type { Language } from '@latchkey/i18n/languages'
import { direction } from '@latchkey/i18n/locale'
import { mailLocales } from '@latchkey/i18n/mailLocales'
import { interpolate, type PlaceholderArgs } from '@latchkey/i18n/placeholders'

type EnglishMessages = (typeof mailLocales)['en']

/** The key of a message in emails and in the pages that they open. */
export type MailKey = keyof EnglishMessages

const catalogs: Readonly<Record<Language, Readonly<Record<MailKey, string>>>> = mailLocales

/** Returns a message of emails, and of the pages that they open, with its placeholders filled in. */
export function mailText<Key extends MailKey>(
  language: Language,
  key: Key,
  ...[values]: PlaceholderArgs<EnglishMessages[Key], string>
): string {
  return filled(language, key, values)
}

/** `mailText` for a key that is put together, whose placeholders are not known to the compiler. */
export function filled(language: Language, key: MailKey, values: Readonly<Record<string, string>> | undefined): string {
  const text = catalogs[language][key]
  if (!values || direction(language) === 'ltr') return interpolate(text, values)
  // Isolates (U+2068, U+2069): in a text from right to left, an address would otherwise pull the punctuation around it to its other side.
  const isolated = Object.entries(values).map(([name, value]) => [name, `\u2068${value}\u2069`])
  return interpolate(text, Object.fromEntries(isolated))
}
