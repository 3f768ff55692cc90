/** A browser tab as seen by a server. It stores cookies and sends the page's origin. */
export interface Visitor {
  /** Sends a request with the page's origin and cookies, and stores the response's cookies. Objects are sent as JSON. */
  ask(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Response>
  /** The stored cookies, keyed by name. */
  readonly cookies: Map<string, string>
}

/**
 * Creates a tab at `page` that sends its requests to `server` at `base`.
 *
 * @example
 * const tab = visitor({ page: 'https://shop.example', base: 'https://shop.example', server: (request) => signIn.handle(request) })
 * const response = await tab.ask('GET', '/auth/v1/nonce')
 */
export function visitor({
  page,
  base,
  server,
  cookies = new Map(),
}: {
  page: string | undefined
  base: string
  server: (request: Request) => Promise<Response>
  /** The cookies of a different tab, if the tabs share them. */
  cookies?: Map<string, string>
}): Visitor {
  return {
    cookies,
    ask: async (method, path, { body, headers = {} } = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await server(
        new Request(`${base}${path}`, {
          method,
          headers: {
            host: new URL(base).host,
            ...(page === undefined ? {} : { origin: page }),
            ...(cookie === '' ? {} : { cookie }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      )
      for (const line of answer.headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split('; ')
        const at = pair.indexOf('=')
        if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, at))
        else cookies.set(pair.slice(0, at), pair.slice(at + 1))
      }
      return answer
    },
  }
}
