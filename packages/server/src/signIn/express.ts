import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { SignIn } from './createSignIn.ts'
import type { SessionAccount } from './sessionAccount.ts'

/** A request of Express, or of Node itself; `body` where a parser has read it already. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown }

/** The calls of sign-in for Express, Connect, or Node's own server: `app.use('/auth/v1', signInMiddleware(signIn))`. */
export function signInMiddleware(signIn: SignIn): (request: NodeRequest, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    // What `express.json()` has read is not there to be read again.
    const { body } = request
    const handle = (input: Request): Promise<Response> =>
      signIn.handle(
        body === undefined || input.method !== 'POST'
          ? input
          : new Request(input.url, { method: 'POST', headers: input.headers, body: JSON.stringify(body) }),
      )
    await getRequestListener(handle)(request, response)
  }
}

/** Who is signed in, for handlers of Express: `const account = await sessionOf(signIn, request)`. */
export function sessionOf(signIn: SignIn, request: IncomingMessage): Promise<SessionAccount | undefined> {
  const { headers, method = '' } = request
  const input = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, [value].flat().join(', ')]],
  )
  // Whoever is asked about is in the headers: a path or a method that no URL and no page has must not end the process.
  const reads = method === 'GET' || method === 'HEAD'
  return signIn.session(new Request('http://localhost/', { method: reads ? method : 'POST', headers: input }))
}
