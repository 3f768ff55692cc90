import { Hono } from 'hono'
import type { SignIn } from './createSignIn.ts'

/**
 * Creates the sign-in routes to mount in a Hono app.
 *
 * @example
 * app.route('/auth/v1', signInRoutes(signIn))
 */
export function signInRoutes(signIn: SignIn): Hono {
  return new Hono().all('/:call', (c) => signIn.handle(c.req.raw))
}
