import { base58, base64, hex } from '@scure/base'
import type { Captured } from './loot.ts'

/** Key material that must stand nowhere, with a name for the report. */
export interface Secret {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Where secrets that are known to a test stand in what was captured, in whatever encoding: "seed in the log". */
export function leaksOf(captured: readonly Captured[], secrets: readonly Secret[]): string[] {
  return secrets.flatMap(({ name, bytes }) => {
    const spelled = spellings(bytes)
    return captured
      .filter(({ text }) => spelled.some((spelling) => text.includes(spelling)))
      .map(({ where }) => `${name} in ${where}`)
  })
}

/** The same bytes in every encoding that a leak could have. */
function spellings(bytes: Uint8Array): string[] {
  const numbers = [...bytes]
  const inner = [0, 1, 2].map((shift) => {
    // Inside a longer text its place decides how base64 spells it; the letters at the seams depend on the neighbours.
    const spelled = base64.encode(Uint8Array.from([...Array<number>(shift).fill(0), ...bytes]))
    const [first, last] = [Math.ceil((shift * 4) / 3) + (shift ? 1 : 0), Math.floor(((shift + bytes.length) * 8) / 6)]
    return spelled.slice(first, last)
  })
  return [
    hex.encode(bytes),
    hex.encode(bytes).toUpperCase(),
    ...inner,
    ...inner.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    base58.encode(bytes),
    numbers.join(','),
    numbers.join(', '),
    String.fromCharCode(...bytes),
  ]
}
