/** The names between braces in a sentence. */
export type Blanks<Sentence> = Sentence extends `${string}{${infer Blank}}${infer Rest}` ? Blank | Blanks<Rest> : never

/** What fills the blanks of `Sentence`; nothing at all where it has none. */
export type Fill<Sentence, Value = string | number> = [Blanks<Sentence>] extends [never]
  ? [blanks?: undefined]
  : [blanks: Readonly<Record<Blanks<Sentence>, Value>>]

/**
 * The sentence under `key` with its blanks filled. The types come from the English catalogue, so a forgotten blank does not compile.
 *
 * @example sentence(messages, 'downloads.title', { wallet: 'Rabby' }) // 'Get Rabby'
 */
export function sentence<Catalogue extends Readonly<Record<string, string>>, Key extends keyof Catalogue & string>(
  messages: Catalogue,
  key: Key,
  ...[blanks]: Fill<Catalogue[Key]>
): string {
  return fill(messages[key] ?? key, blanks)
}

/** `text` with each `{blank}` replaced; an unknown blank stays, so that it is seen. */
export function fill(text: string, blanks: Readonly<Record<string, string | number>> | undefined): string {
  if (!blanks) return text
  return text.replace(/\{(\w+)\}/g, (blank, name: string) =>
    Object.hasOwn(blanks, name) ? String(blanks[name]) : blank,
  )
}

/** The pieces of `text` in order: plain words, and the names of its blanks. For sentences with links in them. */
export function pieces(text: string): readonly ({ readonly words: string } | { readonly blank: string })[] {
  return text
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^\{\w+\}$/.test(piece) ? { blank: piece.slice(1, -1) } : { words: piece }))
}
