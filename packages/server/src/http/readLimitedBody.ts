import { JsonDepthError, parseJson } from '@latchkey/protocol/parseJson'
import { HttpError } from '../errors/httpError.ts'

interface BodySource {
  body: ReadableStream<Uint8Array> | null
  headers: Headers
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
