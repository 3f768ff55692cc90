import { createElement, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { interpolate, type PlaceholderArgs, splitMessage } from './interpolate.ts'
import { direction, type Locale } from './locales.ts'
import { messages, type PluralKey, type Source } from './messages.ts'
import { TranslationsContext } from './TranslationsContext.ts'

/** Translates messages into the visitor's language. */
export interface Translator<Known = Source> {
  /** The message under `key`, its placeholders filled. */
  <Key extends keyof Known & string>(key: Key, ...values: PlaceholderArgs<Known[Key]>): string
  /** The message for `count` items; `{count}` is written in the visitor's digits. */
  plural(key: PluralKey, count: number): string
  /** A message with nodes in its placeholders: links, names in bold. */
  rich<Key extends keyof Known & string>(key: Key, ...values: PlaceholderArgs<Known[Key], ReactNode>): ReactNode
  /** `value`, formatted for the locale. */
  number(value: number | bigint, options?: Intl.NumberFormatOptions): string
  readonly locale: Locale
  readonly direction: 'ltr' | 'rtl'
}

/** Messages of the modal, in the modal's chunk together with the catalogue. Buttons use `useButtonTranslations`. */
export function useTranslations(): Translator {
  const translations = useContext(TranslationsContext)
  return useMemo(() => createTranslator(translations.locale, { ...messages, ...translations.messages }), [translations])
}

/** `useTranslations` without React, over one catalogue. */
export function createTranslator<Known = Source>(
  locale: Locale,
  catalogue: Readonly<Record<string, string>>,
): Translator<Known> {
  const find = (key: string) => catalogue[key] ?? key
  const number = (value: number | bigint, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, options).format(value)

  return Object.assign(
    (key: string, values?: Readonly<Record<string, string | number>>) => interpolate(find(key), values),
    {
      plural(key: string, count: number) {
        const form = new Intl.PluralRules(locale).select(count)
        const text = catalogue[`${key}.${form}`] ?? find(`${key}.other`)
        return interpolate(text, { count: number(count) })
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
