import { toUtf8 } from '@latchkey/protocol/bytes'
import type { Bytes } from './cryptoEnvironment.ts'

/** What has one canonical text: JSON without fractions, nulls and booleans. */
export type CanonicalValue =
  | string
  | number
  | readonly CanonicalValue[]
  | { readonly [name: string]: CanonicalValue | undefined }

/** The one JSON text of a value: names sorted, nothing between, absent fields left out. */
export function canonicalJson(value: CanonicalValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError('Only whole numbers have a canonical text.')
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

/** The bytes of that text, to be authenticated beside a ciphertext. */
export function canonicalJsonBytes(value: CanonicalValue): Bytes {
  return toUtf8(canonicalJson(value)) as Bytes
}

function isList(value: object): value is readonly CanonicalValue[] {
  return Array.isArray(value)
}
