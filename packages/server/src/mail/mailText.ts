import type { Language } from '@latchkey/i18n/languages'
import { direction } from '@latchkey/i18n/locale'
import { mailLocales } from '@latchkey/i18n/mailLocales'
import { interpolate, type PlaceholderArgs } from '@latchkey/i18n/placeholders'

type EnglishMessages = (typeof mailLocales)['en']

/** The key of a message in an email or on a page that an email opens. */
export type MailKey = keyof EnglishMessages

const catalogs: Readonly<Record<Language, Readonly<Record<MailKey, string>>>> = mailLocales

/** Returns a message for an email, or for a page that an email opens, with its placeholders filled in. */
export function mailText<Key extends MailKey>(
  language: Language,
  key: Key,
  ...[values]: PlaceholderArgs<EnglishMessages[Key], string>
): string {
  return filled(language, key, values)
}

/** Like `mailText`, for a key that is built at run time, so that the compiler cannot check the placeholders. */
export function filled(language: Language, key: MailKey, values: Readonly<Record<string, string>> | undefined): string {
  const text = catalogs[language][key]
  if (!values || direction(language) === 'ltr') return interpolate(text, values)
  // Isolates (U+2068 and U+2069) are needed because an address in right-to-left text would otherwise reorder the punctuation
  // around it.
  const isolated = Object.entries(values).map(([name, value]) => [name, `\u2068${value}\u2069`])
  return interpolate(text, Object.fromEntries(isolated))
}
