import { LatchkeyError } from '@latchkey/protocol/errors'
import { readBody } from '@latchkey/protocol/http/body'
import * as v from 'valibot'

/** `url` fetched and its JSON parsed by `schema`; fails as `http/failed` ('HTTP status code: n'), `http/unreachable` or `http/malformed`. */
export async function fetchJson<Schema extends v.GenericSchema>(asked: {
  fetch: typeof fetch
  url: string
  schema: Schema
  signal?: AbortSignal | undefined
}): Promise<v.InferOutput<Schema>> {
  const body = await (await bodyOf(await ask(asked), asked.url)).text()
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch (cause) {
    throw new LatchkeyError('http/malformed', { url: bare(asked.url) }, { cause })
  }
  const parsed = v.safeParse(asked.schema, json)
  if (!parsed.success) {
    throw new LatchkeyError(
      'http/malformed',
      { url: bare(asked.url) },
      { cause: new Error(v.summarize(parsed.issues)) },
    )
  }
  return parsed.output
}

/**
 * `url` fetched as a picture: a URL to draw it from, which has to be revoked. A blob: URL has the page's origin, and a
 * drawing (SVG) that is opened there could run its scripts: such a one becomes a data: URL, other XML nothing at all.
 */
export async function fetchImage(asked: {
  fetch: typeof fetch
  url: string
  signal?: AbortSignal | undefined
}): Promise<string> {
  const response = await ask(asked)
  const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isDrawing = type === 'image/svg+xml'
  if (!isDrawing && !/^image\/[a-z0-9.-]+$/.test(type)) {
    void response.body?.cancel().catch(() => undefined)
    throw new LatchkeyError('http/malformed', { url: bare(asked.url) })
  }
  const body = await bodyOf(response, asked.url, type)
  return isDrawing ? `data:${type},${encodeURIComponent(await body.text())}` : URL.createObjectURL(body)
}

async function ask(asked: { fetch: typeof fetch; url: string; signal?: AbortSignal | undefined }): Promise<Response> {
  const { fetch } = asked
  const response = await fetch(asked.url, {
    credentials: 'omit',
    ...(asked.signal && { signal: asked.signal }),
  }).catch((cause: unknown) => unreachable(asked.url, cause))
  if (response.ok) return response
  throw new LatchkeyError('http/failed', { status: response.status, url: bare(asked.url) }, { cause: response })
}

async function bodyOf(response: Response, url: string, type = ''): Promise<Blob> {
  const body = await readBody(response, { type }).catch((cause: unknown) => unreachable(url, cause))
  if (body) return body
  throw new LatchkeyError('http/malformed', { url: bare(url) }, { cause: new Error('The answer is too large.') })
}

function unreachable(url: string, cause: unknown): never {
  if (cause instanceof Error && cause.name === 'AbortError')
    throw new LatchkeyError('request/aborted', undefined, { cause })
  throw new LatchkeyError('http/unreachable', { url: bare(url) }, { cause })
}

/** Without its query: project ids and addresses stay out of messages. */
function bare(url: string): string {
  return url.split('?', 1)[0] as string
}
