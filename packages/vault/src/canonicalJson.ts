import { toUtf8 } from '@latchkey/protocol/bytes'
import type { Bytes } from './cryptoEnvironment.ts'

/** A value that has a canonical JSON form: a string, a safe integer, an array or an object. */
export type CanonicalValue =
  | string
  | number
  | readonly CanonicalValue[]
  | { readonly [name: string]: CanonicalValue | undefined }

/**
 * Returns the canonical JSON for a value. Keys are sorted, and whitespace and `undefined` fields are omitted.
 * @throws {RangeError} if a number is not a safe integer.
 */
export function canonicalJson(value: CanonicalValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError('Only integers have a canonical form.')
    return String(value)
  }
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const field = value[name]
      return field === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(field)}`]
    })
  return `{${fields.join(',')}}`
}

/** Returns the canonical JSON for a value as UTF-8 bytes, for use in cryptographic operations. */
export function canonicalJsonBytes(value: CanonicalValue): Bytes {
  return toUtf8(canonicalJson(value)) as Bytes
}

function isList(value: object): value is readonly CanonicalValue[] {
  return Array.isArray(value)
}
