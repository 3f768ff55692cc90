import type { SignIn } from './signIn.ts'

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
