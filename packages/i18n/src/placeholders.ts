/** The placeholder names in a message. */
export type PlaceholderNames<Message> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderNames<Rest>
  : never

/** The parameter list that takes the placeholder values of `Message`. Optional if the message has no placeholders. */
export type PlaceholderArgs<Message, Value = string | number> = [PlaceholderNames<Message>] extends [never]
  ? [values?: undefined]
  : [values: Readonly<Record<PlaceholderNames<Message>, Value>>]

/** Replaces each `{placeholder}` in `text`. Unknown placeholders are left in place, so that they get noticed. */
export function interpolate(text: string, values: Readonly<Record<string, string | number>> | undefined): string {
  if (!values) return text
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  )
}

/** Splits `text` into plain text and placeholder names, in order. Used for messages that contain links. */
export function splitMessage(text: string): readonly ({ readonly text: string } | { readonly placeholder: string })[] {
  return text
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{\w+\}$/.test(part) ? { placeholder: part.slice(1, -1) } : { text: part }))
}
