import * as v from 'valibot'

// PostgreSQL cannot store U+0000, and UTF-8 cannot encode an unpaired surrogate, so text that contains them is rejected. With the
// `u` flag, a surrogate pair is a single character, so the pattern only matches unpaired surrogates.
const unstorable = /[\0\p{Cs}]/u

/** Whether `text` contains neither U+0000 nor unpaired surrogates, so that every store and parser can handle it. */
export function isStorableText(text: string): boolean {
  return !unstorable.test(text)
}

/** Returns the schema for text that every store can handle, up to `maxLength` UTF-16 code units. Used for all stored text. */
/* @__NO_SIDE_EFFECTS__ */
export function storableText(maxLength: number): v.GenericSchema<unknown, string> {
  return v.pipe(v.string(), v.maxLength(maxLength), v.check(isStorableText))
}

/** The maximum length of a string in a JSON value. A security key's attestation has a few thousand characters. */
const maxTextLength = 65_536

/**
 * Whether a JSON value is nested at most `maxDepth` levels deep and contains only storable strings and keys of limited length.
 */
export function isStorableJson(value: unknown, maxDepth = 16): boolean {
  if (typeof value === 'string') return value.length <= maxTextLength && isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return (
    maxDepth > 0 &&
    Object.entries(value).every(([name, item]) => isStorableJson(name) && isStorableJson(item, maxDepth - 1))
  )
}
