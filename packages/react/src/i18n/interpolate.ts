/** The names between braces in a message. */
export type PlaceholderNames<Message> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderNames<Rest>
  : never

/** The values for the placeholders of `Message`; no argument where it has none. */
export type PlaceholderArgs<Message, Value = string | number> = [PlaceholderNames<Message>] extends [never]
  ? [values?: undefined]
  : [values: Readonly<Record<PlaceholderNames<Message>, Value>>]

/**
 * The message under `key` with its placeholders filled. The types come from the English catalogue, so a missing value does not compile.
 *
 * @example formatMessage(messages, 'downloads.title', { wallet: 'Rabby' }) // 'Get Rabby'
 */
export function formatMessage<Catalogue extends Readonly<Record<string, string>>, Key extends keyof Catalogue & string>(
  messages: Catalogue,
  key: Key,
  ...[values]: PlaceholderArgs<Catalogue[Key]>
): string {
  return interpolate(messages[key] ?? key, values)
}

/** `text` with each `{placeholder}` replaced; an unknown placeholder stays, so that it is noticed. */
export function interpolate(text: string, values: Readonly<Record<string, string | number>> | undefined): string {
  if (!values) return text
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  )
}

/** The parts of `text` in order: plain text, and the names of its placeholders. For messages with links in them. */
export function splitMessage(text: string): readonly ({ readonly text: string } | { readonly placeholder: string })[] {
  return text
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{\w+\}$/.test(part) ? { placeholder: part.slice(1, -1) } : { text: part }))
}
