import { LatchkeyError } from '@latchkey/protocol/errors'
import * as v from 'valibot'

/** The largest answer that is read. */
const maxBytes = 5_000_000

/** `url` fetched and its JSON parsed by `schema`; fails as `http/failed` ('HTTP status code: n'), `http/unreachable` or `http/malformed`. */
export async function fetchJson<Schema extends v.GenericSchema>(asked: {
  fetch: typeof fetch
  url: string
  schema: Schema
  signal?: AbortSignal | undefined
}): Promise<v.InferOutput<Schema>> {
  const body = await readText(await ask(asked), asked.url)
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

/** `url` fetched as a picture. */
export async function fetchImage(asked: {
  fetch: typeof fetch
  url: string
  signal?: AbortSignal | undefined
}): Promise<Blob> {
  const response = await ask(asked)
  const blob = await response.blob().catch((cause: unknown) => unreachable(asked.url, cause))
  if (!blob.type.startsWith('image/') || blob.size > maxBytes)
    throw new LatchkeyError('http/malformed', { url: bare(asked.url) })
  return blob
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

async function readText(response: Response, url: string): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => unreachable(url, cause))
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined)
      throw new LatchkeyError('http/malformed', { url: bare(url) }, { cause: new Error('The answer is too large.') })
    }
    text += decoder.decode(value, { stream: true })
  }
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
