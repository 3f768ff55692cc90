import { toUtf8 } from '@latchkey/protocol/bytes'
import type { Bytes } from './cryptoEnvironment.ts'

/** Values with a canonical JSON form: strings, safe integers, arrays and objects. */
export type CanonicalValue =
  | string
  | number
  | readonly CanonicalValue[]
  | { readonly [name: string]: CanonicalValue | undefined }

/**
 * Returns the canonical JSON of a value: names sorted, no whitespace, absent fields omitted.
 * @throws {RangeError} for numbers that are not safe integers.
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

/** Returns the canonical JSON as bytes, for use as additional authenticated data. */
export function canonicalJsonBytes(value: CanonicalValue): Bytes {
  return toUtf8(canonicalJson(value)) as Bytes
}

function isList(value: object): value is readonly CanonicalValue[] {
  return Array.isArray(value)
}
