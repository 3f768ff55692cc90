/** A converter between values and text. `read` returns `undefined` if the text is invalid. */
export interface Codec<T> {
  read(text: string): T | undefined
  write(value: T): string
}

/** A codec for plain text. */
export const text: Codec<string> = { read: (value) => value, write: (value) => value }

/** Creates a codec for text that `is` accepts. */
export function oneOf<T extends string>(is: (value: unknown) => value is T): Codec<T> {
  return { read: (value) => (is(value) ? value : undefined), write: (value) => value }
}

/** Creates a codec for comma-separated values without duplicates, in insertion order. */
export function list<T extends string>(is: (value: unknown) => value is T): Codec<readonly T[]> {
  return { read: (value) => unique(value.split(',').filter(is)), write: (values) => unique(values).join(',') }
}

/**
 * Creates a codec for JSON that `parse` validates. `read` throws if the text is not JSON, and the storage entry logs the error.
 */
export function json<T>(parse: (value: unknown) => T | undefined): Codec<T> {
  return { read: (value) => parse(JSON.parse(value)), write: (value) => JSON.stringify(value) }
}

/** Whether `value` is an object with string keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether `value` is a non-empty string. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Returns the entries of `value` that `parse` accepts, or `undefined` if `value` is not an object. */
export function entriesOf<T>(
  value: unknown,
  parse: (entry: unknown, key: string) => T | undefined,
): Record<string, T> | undefined {
  if (!isRecord(value)) return undefined
  const found: Record<string, T> = Object.create(null) as Record<string, T>
  for (const [key, entry] of Object.entries(value)) {
    const parsed = parse(entry, key)
    if (parsed !== undefined) found[key] = parsed
  }
  return found
}

/** Returns `values` without duplicates, in the order of their first occurrence. */
export function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}
