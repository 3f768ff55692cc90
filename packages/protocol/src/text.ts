import * as v from 'valibot'

// PostgreSQL has no room for U+0000, and half a surrogate pair is no character in UTF-8: what a store cannot hold, nobody may send.
// With the flag `u` a whole pair is one character, so that only halves are found.
const unstorable = /[\0\p{Cs}]/u

/** Whether every store and every parser can hold this text: no U+0000, no half of a surrogate pair. */
export function isPlainText(text: string): boolean {
  return !unstorable.test(text)
}

/** Reads a text of at most `maxLength` UTF-16 units that every store can hold. Each text that reaches a database is read by it. */
/* @__NO_SIDE_EFFECTS__ */
export function plainText(maxLength: number): v.GenericSchema<unknown, string> {
  return v.pipe(v.string(), v.maxLength(maxLength), v.check(isPlainText))
}

/** The longest text within a JSON value: an attestation of a security key has some thousands. */
const maxTextLength = 65_536

/** Whether each text within a JSON value, names of members too, is plain and of at most 65,536 UTF-16 units, and nothing is nested deeper than `maxDepth`. */
export function isPlainJson(value: unknown, maxDepth = 16): boolean {
  if (typeof value === 'string') return value.length <= maxTextLength && isPlainText(value)
  if (typeof value !== 'object' || value === null) return true
  return (
    maxDepth > 0 && Object.entries(value).every(([name, item]) => isPlainJson(name) && isPlainJson(item, maxDepth - 1))
  )
}
