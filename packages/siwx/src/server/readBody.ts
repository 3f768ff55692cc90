import type { Endpoint } from '@latchkey/protocol/http/endpoint'
import { readBody as readBytes } from '@latchkey/protocol/http/readResponseBody'
import { JsonDepthError, parseJson } from '@latchkey/protocol/parseJson'
import * as v from 'valibot'
import { AuthError } from './authError.ts'

/**
 * Resolves to the parsed body of a request, regardless of its content type.
 *
 * @throws {AuthError} 413 if the body is longer than `maxBytes`, 400 if it is not valid JSON, or 400 with `field` and
 * `description` if it does not match the schema of the endpoint.
 */
export async function readBody<Body>(
  request: Request,
  { body: schema }: { readonly body?: NonNullable<Endpoint<Body>['body']> },
  { maxBytes, field, description }: { readonly maxBytes: number; readonly field: string; readonly description: string },
): Promise<Body> {
  const json = await readJson(request, maxBytes)
  const parsed = schema && v.safeParse(schema, json)
  if (!parsed?.success) throw new AuthError(400, field, description)
  return parsed.output
}

async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const isTooLong = Number(request.headers.get('content-length') ?? 0) > maxBytes
  if (isTooLong) await request.body?.cancel().catch(() => {})
  const body = isTooLong ? undefined : await readBytes(request, { maxBytes })
  if (!body) throw new AuthError(413, 'body', `The body is longer than ${maxBytes} bytes`)
  try {
    return parseJson(await body.text())
  } catch (error) {
    if (error instanceof JsonDepthError) throw new AuthError(400, 'body', error.message)
    throw new AuthError(400, 'body', 'The body is not JSON')
  }
}
