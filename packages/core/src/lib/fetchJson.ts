import { maxAnswerBytes, readBody } from '@latchkey/protocol/http/readResponseBody'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { maxDrawingLength, maxDrawingReferences } from '@latchkey/protocol/specificationConstants'
import * as v from 'valibot'
import { retryAfterSeconds } from './retryAfter.ts'

/** Fetches JSON and parses it with `schema`. Rejects with `http/failed`, `http/unreachable` or `http/malformed`. */
export async function fetchJson<Schema extends v.GenericSchema>(params: {
  fetch: typeof fetch
  url: string
  schema: Schema
  signal?: AbortSignal | undefined
  /** The JSON to send with POST. It is sent as `text/plain`, which needs no CORS preflight. */
  post?: string
  cache?: RequestCache
  /** The maximum size of the response, because parsing megabytes of JSON blocks the page. Default: 5 MB. */
  maxBytes?: number
}): Promise<v.InferOutput<Schema>> {
  const body = await (await bodyOf(await ask(params), params)).text()
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch (cause) {
    throw new LatchkeyError('http/malformed', { url: bare(params.url) }, { cause })
  }
  // Stop at the first issue, because a large response could contain a million issues.
  const parsed = v.safeParse(params.schema, json, { abortEarly: true })
  if (!parsed.success) {
    throw new LatchkeyError(
      'http/malformed',
      { url: bare(params.url) },
      { cause: new Error(v.summarize(parsed.issues)) },
    )
  }
  return parsed.output
}

/**
 * Fetches an image and returns a URL for it, which the caller must revoke. For an SVG, this is a data: URL. A blob: URL would
 * have the page's origin, and scripts in the SVG would run with that origin if the URL were opened. Rejects other XML, and SVGs
 * that could take a very long time to render.
 */
export async function fetchImage(params: {
  fetch: typeof fetch
  url: string
  signal?: AbortSignal | undefined
}): Promise<string> {
  const response = await ask(params)
  const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isDrawing = type === 'image/svg+xml'
  if (!isDrawing && !/^image\/[a-z0-9.-]+$/.test(type)) {
    void response.body?.cancel().catch(() => undefined)
    throw new LatchkeyError('http/malformed', { url: bare(params.url) })
  }
  const body = await bodyOf(response, { url: params.url, type })
  if (!isDrawing) return URL.createObjectURL(body)
  const drawing = await body.text()
  if (!isSimpleDrawing(drawing)) throw new LatchkeyError('http/malformed', { url: bare(params.url) })
  return `data:${type},${encodeURIComponent(drawing)}`
}

/**
 * Whether an SVG renders quickly. If each of ten elements refers ten times to the previous element, the main thread must render
 * ten billion elements. Entities, nested images, character references, escapes and unusual encodings are rejected, because they
 * could hide such references.
 */
function isSimpleDrawing(text: string): boolean {
  if (text.length > maxDrawingLength) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check rejects control characters.
  if (/<!ENTITY|foreignObject|svg\+xml|&#|\\|[\u0000-\u0008\u000e-\u001f]/i.test(text)) return false
  const references = text.match(/<([\w.-]+:)?(use|symbol|pattern|mask|clipPath|filter|marker|feImage)\b/gi)
  return (references?.length ?? 0) <= maxDrawingReferences
}

async function ask(params: {
  fetch: typeof fetch
  url: string
  signal?: AbortSignal | undefined
  post?: string
  cache?: RequestCache
}): Promise<Response> {
  const { fetch, post, cache } = params
  const response = await fetch(params.url, {
    ...(post !== undefined && { method: 'POST', body: post }),
    ...(cache && { cache }),
    credentials: 'omit',
    // The server identifies the page by the Origin header. Send no referrer, so that redirect targets do not receive it.
    referrerPolicy: 'no-referrer',
    ...(params.signal && { signal: params.signal }),
  }).catch((cause: unknown) => unreachable(params.url, cause))
  if (response.ok) return response
  const seconds = retryAfterSeconds(response, Date.now())
  throw new LatchkeyError(
    'http/failed',
    { status: response.status, url: bare(params.url), ...(seconds > 0 && { retryAfterMs: seconds * 1000 }) },
    { cause: response },
  )
}

async function bodyOf(
  response: Response,
  { url, type = '', maxBytes = maxAnswerBytes }: { url: string; type?: string; maxBytes?: number },
): Promise<Blob> {
  const body = await readBody(response, { type, maxBytes }).catch((cause: unknown) => unreachable(url, cause))
  if (body) return body
  throw new LatchkeyError('http/malformed', { url: bare(url) }, { cause: new Error('Response too large.') })
}

function unreachable(url: string, cause: unknown): never {
  if (cause instanceof Error && cause.name === 'AbortError')
    throw new LatchkeyError('request/aborted', undefined, { cause })
  throw new LatchkeyError('http/unreachable', { url: bare(url) }, { cause })
}

/** Returns the URL without its query, so that error messages do not contain project IDs or addresses. */
function bare(url: string): string {
  return url.split('?', 1)[0] as string
}
