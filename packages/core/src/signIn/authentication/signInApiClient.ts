import type { ChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { readJsonBody } from '@latchkey/protocol/http/readResponseBody'
import type { SignInPath } from '@latchkey/protocol/http/signInRoutes'
import { urlOf } from '@latchkey/protocol/http/url'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import { signInRequestMs } from '@latchkey/protocol/specificationConstants'
import * as v from 'valibot'
import { retryAfterSeconds } from '../../lib/retryAfter.ts'
import { identityOf } from '../../lib/serverUrls.ts'

/** A request to the sign-in server. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: SignInPath
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The chain (CAIP-2) whose signature the server verifies, for error messages. */
  readonly chain?: ChainId
}

/** The dependencies of the API client. */
export interface SignInApiClientDependencies {
  readonly url: string
  readonly projectId: string
  /** Whether requests include cookies. */
  readonly withCookies: boolean
  readonly origin: () => string
  readonly fetch: typeof fetch
  readonly clock: Clock
}

/**
 * Sends a request to the sign-in server. Resolves to the JSON response, to `null` if the body is empty, or to `undefined` if the
 * body is not JSON. Rejects with a LatchkeyError.
 */
export type SignInApiClient = (params: AuthRequest) => Promise<unknown>

/** Creates a client for a server's sign-in endpoints (services 3.14). */
export function createSignInApiClient(dependencies: SignInApiClientDependencies): SignInApiClient {
  const { url: base, projectId, clock } = dependencies
  return async ({ method, path, query, headers, body, chain }) => {
    const route = { path: `/auth/v1/${path}` }
    const url = urlOf(base, route, { query, identity: identityOf({ url: base, projectId }) })
    const stop = new AbortController()
    const unwait = clock.after(signInRequestMs, () => stop.abort())
    const { fetch } = dependencies
    try {
      const response = await fetch(url, {
        method,
        credentials: dependencies.withCookies ? 'include' : 'omit',
        cache: 'no-store',
        // Complete the sign-out even if the user leaves the page immediately after disconnecting.
        keepalive: path === 'sign-out',
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: stop.signal,
      }).catch((cause: unknown) => {
        // Includes CORS failures, where the server does not allow the page's origin and the browser hides the response.
        const message = `The server is down, the page's connect-src does not allow it, or it does not allow ${dependencies.origin()}`
        throw new LatchkeyError(
          'http/unreachable',
          { url: base + route.path },
          { cause: new Error(message, { cause }) },
        )
      })
      const answer = response.status === 204 ? null : await readJsonBody(response)
      const seconds = retryAfterSeconds(response, clock.now())
      if (path === 'otp' && response.status === 429 && seconds > 0) throw failure('email/throttled', { seconds })
      if (!response.ok)
        throw refusal({
          path,
          chain,
          status: response.status,
          seconds,
          answer,
          url: base + route.path,
          origin: dependencies.origin,
        })
      return answer
    } finally {
      unwait()
    }
  }
}

const refused = v.object({ reasons: v.array(v.object({ field: v.string(), description: v.string() })) })

/** Converts an error response from the server to a LatchkeyError. */
function refusal({
  path,
  chain,
  status,
  seconds,
  answer,
  url,
  origin,
}: {
  readonly path: AuthRequest['path']
  readonly chain: ChainId | undefined
  readonly status: number
  /** The delay from Retry-After. */
  readonly seconds: number
  readonly answer: unknown
  readonly url: string
  readonly origin: () => string
}): LatchkeyError {
  const [reason] = read(refused, answer)?.reasons ?? []
  const options = { cause: new Error(reason?.description ?? `HTTP status code: ${status}`) }
  if (status === 503 && reason?.field === 'signature' && chain)
    return failure('sign-in/no-node', { chain, message: reason.description }, options)
  if (reason && [400, 401, 403].includes(status)) {
    switch (reason.field) {
      case 'origin':
        return new LatchkeyError('app/origin-not-allowed', { origin: origin() }, options)
      case 'projectId':
        return new LatchkeyError('app/no-project', undefined, options)
      case 'authorization':
        return failure('sign-in/not-authenticated', undefined, options)
      case 'nonce':
        return failure('sign-in/spent', undefined, options)
      case 'signature':
        return failure('sign-in/invalid', undefined, options)
      case 'otp':
        return failure('sign-in/code-needed', undefined, options)
      case 'email':
        return new LatchkeyError('input/invalid', { path: 'email', message: 'Invalid email' }, options)
      case 'code':
        return failure('sign-in/wrong-code', undefined, options)
      default:
        if (path === 'authenticate') return failure('sign-in/refused', { reason: reason.field }, options)
    }
  }
  return new LatchkeyError(
    'http/failed',
    { status, url, ...(seconds > 0 && { retryAfterMs: seconds * 1000 }) },
    options,
  )
}
