import type { LatchkeyOptions } from '@latchkey/core'

/**
 * Logs a warning if `options` differ from the `first` options, and returns whether there was a warning. Inline options are a new
 * object on each render, so the options' contents are compared.
 */
export function warnOptionsChanged(first: LatchkeyOptions, options: LatchkeyOptions): boolean {
  const names = [...new Set([...Object.keys(first), ...Object.keys(options)])] as (keyof LatchkeyOptions)[]
  const changed = names.filter((name) => name !== 'storage' && serialize(first[name]) !== serialize(options[name]))
  if (changed.length === 0) return false
  console.warn(
    `[latchkey] Options are read once. Reload the page to apply changes to ${changed.join(', ')}. To change them at runtime, create the instance with createLatchkey() and pass a new instance.`,
  )
  return true
}

/** Serializes a value as JSON. Functions are left out, because each render creates new ones. */
function serialize(value: unknown): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? ''
  } catch {
    return ''
  }
}
