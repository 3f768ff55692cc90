import { JsonDepthError, parseJson } from '@latchkey/protocol/parseJson'
import { HttpError } from '../errors/httpError.ts'

type BodySource = Pick<Request | Response, 'arrayBuffer' | 'body' | 'headers'>

/** The maximum size, in bytes, of a body that is read in one call instead of as a stream. */
const smallBytes = 16_384

/**
 * Returns the declared length of a small body, which the HTTP parser enforces. Returns `undefined` if the body is long, of
 * unknown length, or compressed.
 */
export function smallBodyLength({ headers }: Pick<Request, 'headers'>): number | undefined {
  const declared = headers.get('content-length')
  if (declared === null || !/^\d{1,5}$/.test(declared)) return undefined
  if (headers.has('transfer-encoding') || headers.has('content-encoding')) return undefined
  return Number(declared) <= smallBytes ? Number(declared) : undefined
}

/**
 * Resolves to the text of a body. If the body exceeds `maxBytes`, stops reading and resolves to `undefined`. Calls `onBytes` with
 * the size of each chunk. If `onBytes` throws, reading stops.
 */
export async function readLimitedText(
  source: BodySource,
  maxBytes: number,
  onBytes: (bytes: number) => void = () => {},
): Promise<string | undefined> {
  if (Number(source.headers.get('content-length') ?? 0) > maxBytes) {
    await source.body?.cancel().catch(() => {})
    return undefined
  }
  if (smallBodyLength(source) !== undefined) {
    // Reads the body without a stream, because setting one up would cost more than the rest of a simple request.
    const bytes = await source.arrayBuffer().catch((error: unknown) => {
      throw source instanceof Request ? incompleteBody() : error
    })
    if (bytes.byteLength > maxBytes) return undefined
    onBytes(bytes.byteLength)
    return Buffer.from(bytes).toString('utf8')
  }
  if (!source.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (size > maxBytes) return undefined
    onBytes(chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the error for a client that disconnected while it was sending its request. */
export function incompleteBody(): HttpError {
  return new HttpError(400, 'body', 'The body ended before it was complete')
}

/**
 * Parses the body of a request as JSON, regardless of its content type.
 *
 * @throws {HttpError} 413 if the body is too long, or 400 if it is not valid JSON.
 */
export async function readLimitedJson(
  request: Request,
  maxBytes: number,
  depth?: { maxDepth: number },
): Promise<unknown> {
  const text = await readLimitedText(request, maxBytes)
  if (text === undefined) throw new HttpError(413, 'body', `The body is longer than ${maxBytes} bytes`)
  try {
    return parseJson(text, depth)
  } catch (error) {
    if (error instanceof JsonDepthError) throw new HttpError(400, 'body', error.message)
    throw new HttpError(400, 'body', 'The body is not JSON')
  }
}
