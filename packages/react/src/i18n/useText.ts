import { createElement, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { direction, type Locale } from './locales.ts'
import { messages, type PluralKey, type Source } from './messages.ts'
import { type Fill, fill, pieces } from './sentence.ts'
import { TextContext } from './textContext.ts'

/** Says sentences in the visitor's language. */
export interface Text<Known = Source> {
  /** The sentence under `key`, its blanks filled. */
  <Key extends keyof Known & string>(key: Key, ...blanks: Fill<Known[Key]>): string
  /** The sentence for `count` things; `{count}` is written in the visitor's digits. */
  plural(key: PluralKey, count: number): string
  /** A sentence with nodes in its blanks: links, names in bold. */
  rich<Key extends keyof Known & string>(key: Key, ...blanks: Fill<Known[Key], ReactNode>): ReactNode
  /** `value` as the visitor writes numbers. */
  number(value: number | bigint, options?: Intl.NumberFormatOptions): string
  readonly locale: Locale
  readonly direction: 'ltr' | 'rtl'
}

/** The sentences of the modal. Stands in the modal's chunk, as the catalogue does; buttons use `useButtonText`. */
export function useText(): Text {
  const words = useContext(TextContext)
  return useMemo(() => createText(words.locale, { ...messages, ...words.messages }), [words])
}

/** `useText` without React, over one catalogue. */
export function createText<Known = Source>(locale: Locale, catalogue: Readonly<Record<string, string>>): Text<Known> {
  const find = (key: string) => catalogue[key] ?? key
  const number = (value: number | bigint, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, options).format(value)

  return Object.assign((key: string, blanks?: Readonly<Record<string, string | number>>) => fill(find(key), blanks), {
    plural(key: string, count: number) {
      const form = new Intl.PluralRules(locale).select(count)
      const text = catalogue[`${key}.${form}`] ?? find(`${key}.other`)
      return fill(text, { count: number(count) })
    },
    rich(key: string, blanks: Readonly<Record<string, ReactNode>> = {}) {
      const parts = pieces(find(key)).map((piece) =>
        'words' in piece ? piece.words : (blanks[piece.blank] ?? `{${piece.blank}}`),
      )
      return createElement(Fragment, undefined, ...parts)
    },
    number,
    locale,
    direction: direction(locale),
  })
}
