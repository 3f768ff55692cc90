/** A recorded request. */
export interface FakeCall {
  /** The HTTP method in upper case, such as `POST`. */
  readonly method: string
  /** The URL, including its query. */
  readonly url: URL
  /** The headers, including the headers that `Request` adds. */
  readonly headers: Headers
  /** Whether cookies are sent, as in `fetch`. Defaults to `same-origin`. */
  readonly credentials: RequestCredentials
  /** The parsed JSON body. `undefined` if there is none. */
  readonly body: unknown
}

/** A `fetch` that responds from a table and records its requests. */
export interface FakeFetch {
  /** The function to pass as `fetch`. A path that is not in the table gets a 404. */
  readonly fetch: typeof fetch
  /** All requests, oldest first. */
  readonly calls: readonly FakeCall[]
  /** Returns the requests whose path starts with `path`. */
  to(path: string): readonly FakeCall[]
}

/**
 * Creates a fake `fetch`. The handler with the longest matching path responds to a request. If a handler returns `undefined`,
 * the response is a 404. Any value other than a `Response` is sent as JSON.
 *
 * @example
 * const server = fakeFetch({ '/getWallets': () => ({ data: [], count: 0 }) })
 * createLatchkey({ server: 'https://connect.example', projectId: 'test', fetch: server.fetch })
 */
export function fakeFetch(
  answers: Readonly<Record<string, (params: FakeCall & { signal: AbortSignal }) => unknown>>,
): FakeFetch {
  const calls: FakeCall[] = []
  const paths = Object.keys(answers).sort((a, b) => b.length - a.length)
  return {
    calls,
    to: (path) => calls.filter(({ url }) => url.pathname.startsWith(path)),
    async fetch(input, init) {
      const request = new Request(input, init)
      const url = new URL(request.url)
      const text = await request.text()
      const body: unknown = text ? JSON.parse(text) : undefined
      const { method, headers, credentials } = request
      const call = { method, url, headers, credentials, body }
      calls.push(call)
      const path = paths.find((prefix) => url.pathname.startsWith(prefix))
      const asks = Promise.resolve(path ? answers[path]?.({ ...call, signal: request.signal }) : undefined)
      const answer = await Promise.race([asks, aborted(request.signal)])
      if (answer instanceof Response) return answer.clone()
      if (answer === undefined) return new Response('', { status: 404 })
      return Response.json(answer)
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new DOMException('The request was aborted.', 'AbortError'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
