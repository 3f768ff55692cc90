import { readBody } from '@latchkey/protocol/http/body'
import { JsonDepthError, parseJson } from '@latchkey/protocol/parseJson'
import { AuthError } from './authError.ts'

/**
 * Resolves to the JSON of a request, regardless of its content type.
 *
 * @throws {AuthError} 413 if it is too long, 400 if it is not valid JSON.
 */
export async function readRequestJson(request: Request, maxBytes: number): Promise<unknown> {
  const isTooLong = Number(request.headers.get('content-length') ?? 0) > maxBytes
  if (isTooLong) await request.body?.cancel().catch(() => {})
  const body = isTooLong ? undefined : await readBody(request, { maxBytes })
  if (!body) throw new AuthError(413, 'body', `The body is longer than ${maxBytes} bytes`)
  try {
    return parseJson(await body.text())
  } catch (error) {
    if (error instanceof JsonDepthError) throw new AuthError(400, 'body', error.message)
    throw new AuthError(400, 'body', 'The body is not JSON')
  }
}
