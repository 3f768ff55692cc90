import { maxDrawingLength, maxDrawingReferences } from '@latchkey/protocol/constants'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { maxAnswerBytes, readBody } from '@latchkey/protocol/http/body'
import * as v from 'valibot'

/** `url` fetched and its JSON parsed by `schema`; fails as `http/failed` ('HTTP status code: n'), `http/unreachable` or `http/malformed`. */
export async function fetchJson<Schema extends v.GenericSchema>(params: {
  fetch: typeof fetch
  url: string
  schema: Schema
  signal?: AbortSignal | undefined
  /** A longer answer is refused: reading JSON of megabytes holds the page up. [5 MB] */
  maxBytes?: number
}): Promise<v.InferOutput<Schema>> {
  const body = await (await bodyOf(await ask(params), params)).text()
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch (cause) {
    throw new LatchkeyError('http/malformed', { url: bare(params.url) }, { cause })
  }
  // One reason is enough: an answer of five megabytes may be wrong in a million places.
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
 * `url` fetched as a picture: a URL to draw it from, which has to be revoked. A blob: URL has the page's origin, and a
 * drawing (SVG) that is opened there could run its scripts: such a one becomes a data: URL, other XML nothing at all.
 * Drawings that could take the browser very long to draw are refused.
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
 * Whether a drawing can be drawn quickly. Ten parts that each refer ten times to the part before are ten billion, drawn on the page's main
 * thread; entities and drawings within the drawing could hide such parts, and so could character references, escapes and other encodings.
 */
function isSimpleDrawing(text: string): boolean {
  if (text.length > maxDrawingLength) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses.
  if (/<!ENTITY|foreignObject|svg\+xml|&#|\\|[\u0000-\u0008\u000e-\u001f]/i.test(text)) return false
  const references = text.match(/<([\w.-]+:)?(use|symbol|pattern|mask|clipPath|filter|marker|feImage)\b/gi)
  return (references?.length ?? 0) <= maxDrawingReferences
}

async function ask(params: { fetch: typeof fetch; url: string; signal?: AbortSignal | undefined }): Promise<Response> {
  const { fetch } = params
  const response = await fetch(params.url, {
    credentials: 'omit',
    // The server knows the page by its origin; where it redirects to is not told.
    referrerPolicy: 'no-referrer',
    ...(params.signal && { signal: params.signal }),
  }).catch((cause: unknown) => unreachable(params.url, cause))
  if (response.ok) return response
  throw new LatchkeyError('http/failed', { status: response.status, url: bare(params.url) }, { cause: response })
}

async function bodyOf(
  response: Response,
  { url, type = '', maxBytes = maxAnswerBytes }: { url: string; type?: string; maxBytes?: number },
): Promise<Blob> {
  const body = await readBody(response, { type, maxBytes }).catch((cause: unknown) => unreachable(url, cause))
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
