import { base58, base64, hex } from '@scure/base'
import type { Captured } from './findCandidateSecrets.ts'

/** Key material that must not leak, with a name for the report. */
export interface KnownSecret {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Finds known secrets in captured data, in any common encoding. Returns a list of descriptions such as "seed in log". */
export function findLeaks(captured: readonly Captured[], secrets: readonly KnownSecret[]): string[] {
  return secrets.flatMap(({ name, bytes }) => {
    const encodings = encodingsOf(bytes)
    return captured
      .filter(({ text }) => encodings.some((encoding) => text.includes(encoding)))
      .map(({ where }) => `${name} in ${where}`)
  })
}

/** Returns `bytes` in every encoding in which they could leak. */
function encodingsOf(bytes: Uint8Array): string[] {
  const numbers = [...bytes]
  const inner = [0, 1, 2].map((shift) => {
    // Within longer data, the base64 encoding depends on the offset. The characters at both ends also encode adjacent bytes, so
    // they are removed.
    const encodings = base64.encode(Uint8Array.from([...Array<number>(shift).fill(0), ...bytes]))
    const [first, last] = [Math.ceil((shift * 4) / 3) + (shift ? 1 : 0), Math.floor(((shift + bytes.length) * 8) / 6)]
    return encodings.slice(first, last)
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
