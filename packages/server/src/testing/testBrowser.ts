import type { Caller } from '../serverDependencies.ts'

/** A browser on the keys origin. It stores cookies and sends the headers that a browser sends for the frame. */
export interface TestBrowser {
  readonly cookies: Map<string, string>
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Navigates to `path`, as if from a link in an email or a redirect from a different site. */
  visit(path: string, site?: string): Promise<Response>
}

/** A response with its parsed body. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: Tests read arbitrary fields.
  readonly body: any
}

/** Creates a browser without cookies that connects from the IP address `address`. */
export function createTestBrowser({
  server,
  origin,
  address,
}: {
  server: (request: Request, caller: Caller) => Promise<Response>
  origin: string
  address: string
}): TestBrowser {
  const cookies = new Map<string, string>()

  async function request(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await server(new Request(new URL(path, origin), { ...init, headers }), { address })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/)
      const at = pair.indexOf('=')
      const isGone = attributes.some((attribute) => /^max-age=0$/i.test(attribute))
      if (isGone) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }

  return {
    cookies,
    send: async (method, path, body, headers = {}) => {
      const response = await request(path, {
        method,
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(method === 'GET' ? {} : { origin }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
    },
    visit: (path, site = 'cross-site') =>
      request(path, { headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' } }),
  }
}
