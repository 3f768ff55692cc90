import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { SignIn } from './createSignIn.ts'
import type { SessionAccount } from './sessionAccount.ts'

/** A request of Express or Node. `body` is set if a parser has already read it. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown }

/** Sign-in middleware for Express, Connect or a Node server: `app.use('/auth/v1', signInMiddleware(signIn))`. */
export function signInMiddleware(signIn: SignIn): (request: NodeRequest, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    // A body that `express.json()` has read cannot be read again.
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

/** The session of an Express request: `const account = await sessionOf(signIn, request)`. */
export function sessionOf(signIn: SignIn, request: IncomingMessage): Promise<SessionAccount | undefined> {
  const { headers, method = '' } = request
  const input = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, [value].flat().join(', ')]],
  )
  // Only the headers matter. A path or method that `Request` does not accept must not crash the process.
  const reads = method === 'GET' || method === 'HEAD'
  return signIn.session(new Request('http://localhost/', { method: reads ? method : 'POST', headers: input }))
}
