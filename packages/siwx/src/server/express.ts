import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SignIn } from './createSignIn.ts'
import type { SessionAccount } from './sessionClaims.ts'
import { maxBodyBytes } from './signInHandlers.ts'

/** A request in Express or Node.js. `body` is set if a parser has already read the body. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown }

/**
 * Creates the sign-in middleware for Express, Connect or a Node.js server.
 *
 * @example
 * app.use('/auth/v1', signInMiddleware(signIn))
 */
export function signInMiddleware(signIn: SignIn): (request: NodeRequest, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    // Express 4 and Node.js end the process if a handler rejects.
    const result = await responseTo(request, signIn)
    response.statusCode = result.status
    for (const [name, value] of result.headers) response.setHeader(name, value)
    // Each cookie needs a separate header.
    const cookies = result.headers.getSetCookie()
    if (cookies.length > 0) response.setHeader('set-cookie', cookies)
    response.end(new Uint8Array(await result.arrayBuffer()))
  }
}

async function responseTo(incoming: NodeRequest, signIn: SignIn): Promise<Response> {
  const { method = 'GET', url = '/' } = incoming
  const reads = method === 'GET' || method === 'HEAD'
  let request: Request
  try {
    const body = reads ? null : await bodyOf(incoming)
    request = new Request(`http://localhost${url}`, { method, headers: headersOf(incoming), body })
  } catch {
    return new Response(null, { status: 400 })
  }
  return signIn.handle(request).catch(() => new Response(null, { status: 500 }))
}

/**
 * Reads the body to its end, because clients wait for a response only after sending all of it. Discards everything beyond the
 * limit.
 */
async function bodyOf(incoming: NodeRequest): Promise<string | Blob> {
  // If `express.json()` has already read the body, it cannot be read again.
  if (incoming.body !== undefined) return JSON.stringify(incoming.body)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    if (bytes <= maxBodyBytes) chunks.push(chunk)
    bytes += chunk.byteLength
  }
  return new Blob(chunks)
}

/**
 * Resolves to the session of an Express or Node.js request, or to `undefined` if the user is not signed in.
 *
 * @example
 * const account = await sessionOf(signIn, request)
 * if (!account) response.status(401).send('Sign in first')
 */
export function sessionOf(signIn: SignIn, request: IncomingMessage): Promise<SessionAccount | undefined> {
  const { method = '' } = request
  // A session depends only on the headers and on whether the method is a read. The real path and method are not used, because
  // `Request` throws an error for some of them, which would end the process.
  const reads = method === 'GET' || method === 'HEAD'
  const headers = headersOf(request)
  return signIn.session(new Request('http://localhost/', { method: reads ? method : 'POST', headers }))
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, [value].flat().join(', ')]],
  )
}
