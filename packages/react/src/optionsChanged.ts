import type { LatchkeyOptions } from '@latchkey/core'

/**
 * Warns where `options` differ from those that were read `first`, and answers whether it did. Options that are written inline are other
 * objects at each render: what counts is what stands in them.
 */
export function tellChanged(first: LatchkeyOptions, options: LatchkeyOptions): boolean {
  const names = [...new Set([...Object.keys(first), ...Object.keys(options)])] as (keyof LatchkeyOptions)[]
  const changed = names.filter((name) => name !== 'storage' && textOf(first[name]) !== textOf(options[name]))
  if (changed.length === 0) return false
  console.warn(
    `[latchkey] options are read once: reload the page to see the change of ${changed.join(', ')}. To change them while the page runs, make the instance with createLatchkey() and hand over another one.`,
  )
  return true
}

/** What a value says; functions are what they were, since each render makes new ones. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? ''
  } catch {
    return ''
  }
}
