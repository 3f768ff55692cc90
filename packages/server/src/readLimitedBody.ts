import { HttpError } from './httpError.ts'
import { JsonDepthError, parseJson } from './parseJson.ts'

interface BodySource {
  body: ReadableStream<Uint8Array> | null
  headers: Headers
}

/**
 * The text of a body, or `undefined` as soon as it proves longer than `limit` bytes; what is left is never read. `take` is
 * told of the bytes as they arrive, and stops the reading by throwing.
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

/** The JSON of a request, whatever content type it claims; 413 when too long, 400 when it is no JSON. */
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
