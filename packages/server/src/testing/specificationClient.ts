import { expect } from 'vitest'

/** A response that a page on another origin could read. */
export interface ClientAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests compare the body as a whole.
  readonly body: any
  readonly headers: Headers
}

/** A client of the specified API that knows nothing of this server: it uses `fetch` on a page of another origin. */
export interface SpecificationClient {
  get(path: string, query?: Readonly<Record<string, string>>): Promise<ClientAnswer>
  /** Sends a body as `text/plain`, which needs no preflight. `query` is only what the specification sends in addition to `clientId`. */
  post(path: string, body: unknown, query?: Readonly<Record<string, string>>): Promise<ClientAnswer>
  /** Sends the preflight of a browser. Resolves to whether the browser would send the request. */
  preflight(path: string, method: 'GET' | 'POST', headers: readonly string[]): Promise<boolean>
}

const origin = 'https://shop.example'
/** What the specified client adds to each GET request. */
const identification = { projectId: 'a'.repeat(32), st: 'appkit', sv: 'react-wagmi-1.7.5' }
const clientId = 'did:key:z6MkodHZwneVRShtaLf8JKYkxpDGp1vGZnpGmdBpX8M2exxH'

/** Creates a client of the specified API for the server at `base`. */
export function specificationClient(base: string): SpecificationClient {
  const urlOf = (path: string, query: Readonly<Record<string, string>>): URL => {
    const url = new URL(path, base)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  async function readable(response: Response): Promise<ClientAnswer> {
    const { headers, status } = response
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const body: unknown = await response.json()
    if (status >= 400)
      expect(body).toEqual({
        status: 'FAILED',
        reasons: [{ field: expect.any(String), description: expect.stringMatching(/\w/) }],
      })
    return { status, body, headers }
  }

  return {
    get: async (path, query = {}) =>
      readable(await fetch(urlOf(path, { ...identification, clientId, ...query }), { headers: { origin } })),
    post: async (path, body, query = {}) =>
      readable(
        await fetch(urlOf(path, { clientId, ...query }), {
          method: 'POST',
          headers: { origin, 'content-type': 'text/plain' },
          body: JSON.stringify(body),
        }),
      ),
    async preflight(path, method, headers) {
      const response = await fetch(urlOf(path, {}), {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': headers.join(','),
        },
      })
      const listed = (name: string): readonly string[] =>
        (response.headers.get(name) ?? '').split(',').map((item) => item.trim().toLowerCase())
      const origins = listed('access-control-allow-origin')
      return (
        response.status === 204 &&
        (origins.includes('*') || origins.includes(origin)) &&
        listed('access-control-allow-methods').includes(method.toLowerCase()) &&
        headers.every((name) => listed('access-control-allow-headers').includes(name.toLowerCase()))
      )
    },
  }
}
