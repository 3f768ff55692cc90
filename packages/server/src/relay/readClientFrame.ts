import { type Frame, readFrame } from '@latchkey/protocol/relay'

const idFirst = /^\{"id":(0|[1-9]\d*),(?=\s*")/
const longNumber = /[\s:,[]-?\d{16,}/

/**
 * Parses a frame like `readFrame`, but faster. The IDs of most frames come first and are too long for a JavaScript number, so
 * `readFrame` would search the whole frame for such numbers and replace them.
 */
export function readClientFrame(text: string): Frame | undefined {
  const head = idFirst.exec(text)
  if (!head) return readFrame(text)
  const rest = `{${text.slice(head[0].length)}`
  if (longNumber.test(rest) || rest.includes('\\u0000')) return readFrame(text)
  try {
    const body = JSON.parse(rest) as Frame['body']
    // With duplicate keys, the last one counts.
    return 'id' in body ? readFrame(text) : { id: head[1], body }
  } catch {
    return undefined
  }
}
