/**
 * The relay's JSON-RPC 2.0 frames. IDs can be integers above 2^53 and must be echoed unchanged, so an ID is kept as JSON text.
 * `17` and `"17"` are different IDs.
 */

/** A request or response. */
export interface Frame {
  /** The ID as JSON text, or `undefined` if the ID is missing or invalid. */
  readonly id: string | undefined
  /** All fields of the JSON object, such as `method` and `params`. Do not use `body.id`, which can be altered by parsing. */
  readonly body: Readonly<Record<string, unknown>>
}

/** A JSON-RPC error. */
export interface RpcFailure {
  /** The error code, such as -32601 for an unknown method (JSON-RPC 2.0). */
  readonly code: number
  /** An error message for developers. */
  readonly message: string
  /** The relay's own name for the error. Latchkey's relay sends strings such as `TtlTooLong`. */
  readonly data?: unknown
}

// Marks a long number that was converted to a string. If an ID in the input already starts with the mark, the ID is rejected.
const mark = '\u0000'

/**
 * Parses a frame. Returns `undefined` if the text is not a JSON object.
 *
 * @example
 * const frame = readFrame(text)
 * if (frame?.id !== undefined) socket.send(writeFrame(frame.id, { result: true }))
 */
export function readFrame(text: string): Frame | undefined {
  let value: unknown
  try {
    // In JSON, a number follows one of these characters. This check is fast, and few frames contain a long number.
    const read = /[\s:,[]-?\d{16,}/.test(text)
      ? // The pattern matches an unterminated string up to the end of the input, and every number as a whole, so that any
        // input is scanned only once.
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

/** Serializes a frame. `id` is the ID as JSON text. */
export function writeFrame(id: string, body: Readonly<Record<string, unknown>>): string {
  return `{"id":${id},"jsonrpc":"2.0",${JSON.stringify(body).slice(1)}`
}

function idText(id: unknown): string | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined
  if (typeof id !== 'string') return undefined
  return id.startsWith(mark) ? id.slice(1) : JSON.stringify(id)
}
