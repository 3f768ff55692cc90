import { frame as english } from '@latchkey/i18n/locales/en/frame'
import { interpolate } from '@latchkey/i18n/placeholders'
import { pluralMessage } from '@latchkey/i18n/plural'
import { currentLocale } from './currentLocale.ts'

type EnglishKey = keyof typeof english

/** The key of a message. For a message with plural forms, the key does not include `.one` or `.other`. */
export type MessageKey = EnglishKey extends infer Key ? (Key extends `${infer Base}.${string}` ? Base : Key) : never

/** The messages in one language. A missing message falls back to English. */
export type Catalog = Readonly<Partial<Record<string, string>>>

/** The property of a document that stores the messages in its language. */
export const documentMessages: unique symbol = Symbol('messages')

/** A document whose language can differ from English. */
export interface LocalizedDocument extends Document {
  [documentMessages]?: Catalog
}

/** Returns a message in the document's language with its placeholders filled in. `count` also selects the plural form. */
export function t(key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  const here = globalThis.document as LocalizedDocument | undefined
  const find = (messages: Catalog = {}) => pluralOf(messages, key, values.count) ?? messages[key]
  return interpolate(find(here?.[documentMessages]) ?? find(english) ?? key, values)
}

function pluralOf(messages: Catalog, key: string, count: string | number | undefined): string | undefined {
  return count === undefined
    ? undefined
    : pluralMessage(messages, key, { count: Number(count), language: currentLocale() })
}
