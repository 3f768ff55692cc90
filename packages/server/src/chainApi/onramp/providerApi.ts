import * as v from 'valibot'
import { HttpError } from '../../errors/httpError.ts'
import { readLimitedText } from '../../http/readLimitedBody.ts'

/** The time limit for a response of a provider, in milliseconds. */
const timeoutMs = 10_000
/** The maximum size of a response. A provider's list of all currencies has about 1 MB. */
const maxBytes = 4_194_304

/** The API of an onramp provider. */
export interface ProviderApi {
  /**
   * Sends a request. Resolves to the response, whose snake_case keys are in camelCase.
   *
   * @throws {HttpError} 400 with the provider's reason if it rejects the request, or 503 if it does not respond as documented.
   */
  send<Schema extends v.GenericSchema>(request: {
    readonly method: 'GET' | 'POST'
    /** The path below the API's URL, such as `/v1/token`. */
    readonly path: string
    readonly query?: Readonly<Record<string, string | undefined>>
    readonly body?: unknown
    readonly schema: Schema
    readonly signal: AbortSignal
  }): Promise<v.InferOutput<Schema>>
}

/**
 * Creates the client for a provider's API. `authorize` returns the headers with the operator's key. They are only sent to
 * `url`, because redirects are errors, and they are never part of an error.
 */
export function createProviderApi({
  name,
  url,
  authorize,
  fetch,
}: {
  /** The display name of the provider, for errors. */
  name: string
  /** The base URL of the API, without a slash at the end. */
  url: string
  authorize(request: { method: string; url: URL }): Promise<Readonly<Record<string, string>>>
  fetch: typeof globalThis.fetch
}): ProviderApi {
  return {
    async send({ method, path, query = {}, body, schema, signal }) {
      const target = new URL(url + path)
      for (const [key, value] of Object.entries(query)) if (value !== undefined) target.searchParams.set(key, value)
      const request = {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(await authorize({ method, url: target })),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error' as const,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      }
      const answer = await fetch(target, request)
        .then(async (response) => ({
          status: response.status,
          seconds: retryAfter(response),
          text: await readLimitedText(response, maxBytes),
        }))
        .catch(() => undefined)
      if (!answer) throw new HttpError(503, 'server', `${name} did not respond`, 1)
      const json = parsed(answer.text)
      if (answer.status === 400 || answer.status === 404 || answer.status === 422)
        throw new HttpError(400, 'onramp', rejection(name, json))
      if (answer.status === 429) throw new HttpError(503, 'server', `${name} is busy`, answer.seconds ?? 5)
      // The operator has to fix an invalid key. Buyers cannot.
      if (answer.status < 200 || answer.status > 299)
        throw new HttpError(503, 'server', `${name} responded with ${answer.status}`, 5)
      const result = v.safeParse(schema, camelCaseKeys(json))
      if (!result.success) throw new HttpError(503, 'server', `${name} responded with something unexpected`, 5)
      return result.output
    },
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined
}

const failure = v.object({
  message: v.fallback(v.optional(v.string()), undefined),
  errorMessage: v.fallback(v.optional(v.string()), undefined),
})

/** Returns the provider's reason for rejecting a request, as one short line. */
function rejection(name: string, json: unknown): string {
  const found = v.safeParse(failure, camelCaseKeys(json))
  const message = found.success ? (found.output.message ?? found.output.errorMessage) : undefined
  const line = message?.replace(/[^\x20-\x7e]+/g, ' ').trim()
  return line ? `${name}: ${line.slice(0, 200)}` : `${name} rejected the request`
}

/** Coinbase uses snake_case or camelCase, depending on the endpoint and the version. */
function camelCaseKeys(value: unknown, depth = 0): unknown {
  if (depth > 12 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => camelCaseKeys(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      camelCaseKeys(item, depth + 1),
    ]),
  )
}
