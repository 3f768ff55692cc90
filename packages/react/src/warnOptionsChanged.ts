import type { LatchkeyOptions } from '@latchkey/core'

/**
 * Warns if `options` differ from the `first` options that were read. Returns whether it warned. Inline options are a new object on each
 * render, so their contents are compared.
 */
export function warnOptionsChanged(first: LatchkeyOptions, options: LatchkeyOptions): boolean {
  const names = [...new Set([...Object.keys(first), ...Object.keys(options)])] as (keyof LatchkeyOptions)[]
  const changed = names.filter((name) => name !== 'storage' && serialize(first[name]) !== serialize(options[name]))
  if (changed.length === 0) return false
  console.warn(
    `[latchkey] Options are read once. Reload the page to apply changes to ${changed.join(', ')}. To change them at runtime, create the instance with createLatchkey() and pass a new one.`,
  )
  return true
}

/** Serializes a value as JSON. Functions are omitted, since each render creates new ones. */
function serialize(value: unknown): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? ''
  } catch {
    return ''
  }
}
