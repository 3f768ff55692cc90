/**
 * Returns the message for `key` in the plural form that `language` uses for `count`, or `undefined` if the message has no plural
 * forms. The forms are separate messages: `key.one`, `key.other` and, in some languages, `key.zero`, `key.two`, `key.few` and
 * `key.many`.
 */
export function pluralMessage(
  messages: Readonly<Partial<Record<string, string>>>,
  key: string,
  { count, language }: { readonly count: number; readonly language: string },
): string | undefined {
  return messages[`${key}.${new Intl.PluralRules(language).select(count)}`] ?? messages[`${key}.other`]
}
