import { Hono } from 'hono'
import type { SignIn } from './createSignIn.ts'

/** The calls of sign-in, to mount in an app of yours: `app.route('/auth/v1', signInRoutes(signIn))`. */
export function signInRoutes(signIn: SignIn): Hono {
  return new Hono().all('/:call', (c) => signIn.handle(c.req.raw))
}
