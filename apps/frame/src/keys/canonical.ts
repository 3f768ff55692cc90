import { toUtf8 } from '@latchkey/protocol/bytes'
import type { Bytes } from './ports.ts'

/** What has one canonical text: JSON without fractions, nulls and booleans. */
export type Canonical = string | number | readonly Canonical[] | { readonly [name: string]: Canonical | undefined }

/** The one JSON text of a value: names sorted, nothing between, absent fields left out. */
export function canonicalText(value: Canonical): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError('Only whole numbers have a canonical text.')
    return String(value)
  }
  if (isList(value)) return `[${value.map(canonicalText).join(',')}]`
  const fields = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const field = value[name]
      return field === undefined ? [] : [`${JSON.stringify(name)}:${canonicalText(field)}`]
    })
  return `{${fields.join(',')}}`
}

/** The bytes of that text, to be authenticated beside a ciphertext. */
export function canonicalBytes(value: Canonical): Bytes {
  return toUtf8(canonicalText(value)) as Bytes
}

function isList(value: object): value is readonly Canonical[] {
  return Array.isArray(value)
}
