import type { SignIn } from './createSignIn.ts'
import type { SessionAccount } from './sessionAccount.ts'

/** What a route file of Next exports. */
export interface SignInHandlers {
  GET(request: Request): Promise<Response>
  POST(request: Request): Promise<Response>
  OPTIONS(request: Request): Promise<Response>
}

/** For `app/auth/v1/[call]/route.ts`: `export const { GET, POST, OPTIONS } = signInHandlers(signIn)`. */
export function signInHandlers(signIn: SignIn): SignInHandlers {
  return { GET: signIn.handle, POST: signIn.handle, OPTIONS: signIn.handle }
}

/**
 * Who is signed in, for server components, server actions and route handlers; `undefined` for nobody.
 *
 * @example const account = await sessionOf(signIn, await headers())
 */
export function sessionOf(signIn: SignIn, headers: Pick<Headers, 'forEach'>): Promise<SessionAccount | undefined> {
  const input: Record<string, string> = {}
  headers.forEach((value, name) => {
    input[name] = value
  })
  // A page is read; a server action comes with its Origin, which is checked like that of any call.
  return signIn.session(new Request('http://localhost/', { headers: input }))
}
