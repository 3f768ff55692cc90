import type { Language } from '@latchkey/i18n/languages'
import { direction } from '@latchkey/i18n/locale'
import { interpolate, type PlaceholderArgs, splitMessage } from '@latchkey/i18n/placeholders'
import { pluralMessage } from '@latchkey/i18n/plural'
import { createElement, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { messages, type PluralKey, type Source } from './messages.ts'
import { TranslationsContext } from './TranslationsContext.ts'

type Catalog = Readonly<Record<string, string>>

/** A translator for messages in the active language. */
export interface Translator<Known = Source> {
  /** Returns the message for `key` with its placeholders filled in. */
  <Key extends keyof Known & string>(key: Key, ...values: PlaceholderArgs<Known[Key]>): string
  /** Returns the plural form for `count` items. `{count}` is replaced by the number, formatted for the locale. */
  plural(key: PluralKey, count: number): string
  /** Returns the message for `key` with its placeholders replaced by React nodes, such as links. */
  rich<Key extends keyof Known & string>(key: Key, ...values: PlaceholderArgs<Known[Key], ReactNode>): ReactNode
  /** Formats a count, which is a whole number of at least 0, for the locale. */
  number(value: number | bigint): string
  readonly locale: Language
  readonly direction: 'ltr' | 'rtl'
}

/**
 * Returns a translator for the messages that are bundled with the modal, and for the English messages in `own`, which are the
 * messages of a view other than Connect. For buttons, use `useButtonTranslations` instead.
 */
export function useTranslations(): Translator
export function useTranslations<Own extends Catalog>(own: Own): Translator<Source & Own>
export function useTranslations(own?: Catalog): Translator {
  const translations = useContext(TranslationsContext)
  return useMemo(
    () => createTranslator(translations.locale, { ...messages, ...own, ...translations.messages }),
    [translations, own],
  )
}

/** Creates a translator for a catalog. Unlike `useTranslations`, it can be called outside React. */
export function createTranslator<Known = Source>(locale: Language, catalogue: Catalog): Translator<Known> {
  const find = (key: string) => catalogue[key] ?? key
  // Loading a locale's number formats takes about 100 ms on a phone. Numbers without separators do not need the formats, except
  // in Arabic, which has its own digits.
  const number = (value: number | bigint) =>
    value < 1000 && locale !== 'ar' ? `${value}` : value.toLocaleString(locale)

  return Object.assign(
    (key: string, values?: Readonly<Record<string, string | number>>) => interpolate(find(key), values),
    {
      plural(key: string, count: number) {
        return interpolate(pluralMessage(catalogue, key, { count, language: locale }) ?? key, { count: number(count) })
      },
      rich(key: string, values: Readonly<Record<string, ReactNode>> = {}) {
        const parts = splitMessage(find(key)).map((part) =>
          'text' in part ? part.text : (values[part.placeholder] ?? `{${part.placeholder}}`),
        )
        return createElement(Fragment, undefined, ...parts)
      },
      number,
      locale,
      direction: direction(locale),
    },
  )
}
