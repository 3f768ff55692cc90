/**
 * The JSON-RPC 2.0 frames of a relay. Their ids may be whole numbers above 2^53 and are echoed as they came (specification,
 * services 4.3), so an id is kept as its JSON text: `17` and `"17"` are two ids.
 */

/** A request or an answer, as it came. */
export interface Frame {
  /** The id's JSON text, or `undefined` when there is none that could be echoed. */
  readonly id: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** What an error of JSON-RPC says. `data` carries the relay's own name for it. */
export interface RpcFailure {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

// What stands before the digits of a long number while it is a text. Where the other side wrote it itself, no id is taken.
const mark = '\u0000'

/** The frame of a text, or `undefined` when it is no JSON object. */
export function readFrame(text: string): Frame | undefined {
  let value: unknown
  try {
    // A number of JSON stands after one of these; few frames have a long one, and most are long themselves.
    const read = /[\s:,[]-?\d{16,}/.test(text)
      ? // A text that nobody closes ends with the frame, and a number is taken whole: whatever comes is gone through once.
        text.replace(/"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|-?\d[\d.eE+-]*/g, (token) =>
          !/^-?\d{16,}$/.test(token) || Number.isSafeInteger(Number(token)) ? token : `"\\u0000${token}"`,
        )
      : text
    value = JSON.parse(read)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { id } = value as { id?: unknown }
  return {
    id: typeof id === 'string' && id.startsWith(mark) && text.includes('\\u0000') ? undefined : idText(id),
    body: value as Frame['body'],
  }
}

/** The text of a frame with this id. */
export function writeFrame(id: string, body: Readonly<Record<string, unknown>>): string {
  return `{"id":${id},"jsonrpc":"2.0",${JSON.stringify(body).slice(1)}`
}

function idText(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined
  if (typeof id !== 'string') return undefined
  return id.startsWith(mark) ? id.slice(1) : JSON.stringify(id)
}
