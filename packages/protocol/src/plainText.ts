import * as v from 'valibot'

// PostgreSQL cannot store U+0000, and UTF-8 cannot encode an unpaired surrogate, so texts with these characters are rejected. With the `u`
// flag a surrogate pair is a single character, so only unpaired surrogates match.
const unstorable = /[\0\p{Cs}]/u

/** Whether every store and parser can handle this text: it has no U+0000 and no unpaired surrogates. */
export function isPlainText(text: string): boolean {
  return !unstorable.test(text)
}

/** A schema for text of at most `maxLength` UTF-16 code units that every store can hold. Used for all text that reaches a database. */
/* @__NO_SIDE_EFFECTS__ */
export function plainText(maxLength: number): v.GenericSchema<unknown, string> {
  return v.pipe(v.string(), v.maxLength(maxLength), v.check(isPlainText))
}

/** Maximum length of a text in a JSON value. An attestation of a security key has a few thousand characters. */
const maxTextLength = 65_536

/** Whether every text in a JSON value, including keys, is plain and has at most 65,536 UTF-16 code units, and nesting is at most `maxDepth`. */
export function isPlainJson(value: unknown, maxDepth = 16): boolean {
  if (typeof value === 'string') return value.length <= maxTextLength && isPlainText(value)
  if (typeof value !== 'object' || value === null) return true
  return (
    maxDepth > 0 && Object.entries(value).every(([name, item]) => isPlainJson(name) && isPlainJson(item, maxDepth - 1))
  )
}
