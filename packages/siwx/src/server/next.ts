import type { SignIn } from './createSignIn.ts'
import type { SessionAccount } from './sessionClaims.ts'

/** The exports of a route file in Next.js. */
export interface SignInHandlers {
  /** Handles `nonce`, `me` and `keys`. */
  GET(request: Request): Promise<Response>
  /** Handles `authenticate` and `sign-out`. */
  POST(request: Request): Promise<Response>
  /** Responds to CORS preflight requests. */
  OPTIONS(request: Request): Promise<Response>
}

/**
 * Returns the handlers for `app/auth/v1/[call]/route.ts`.
 *
 * @example
 * export const { GET, POST, OPTIONS } = signInHandlers(signIn)
 */
export function signInHandlers(signIn: SignIn): SignInHandlers {
  return { GET: signIn.handle, POST: signIn.handle, OPTIONS: signIn.handle }
}

/**
 * Resolves to the session in server components, server actions and route handlers, or to `undefined` if the user is not signed
 * in.
 *
 * @example const account = await sessionOf(signIn, await headers())
 */
export function sessionOf(signIn: SignIn, headers: Pick<Headers, 'forEach'>): Promise<SessionAccount | undefined> {
  const input: Record<string, string> = {}
  headers.forEach((value, name) => {
    input[name] = value
  })
  // A page render is treated as a GET request. A server action has an `Origin` header, which is checked as in any other call.
  return signIn.session(new Request('http://localhost/', { headers: input }))
}
