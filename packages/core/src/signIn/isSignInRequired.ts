import type { LatchkeyOptions } from '../options.ts'

/**
 * Whether the user must sign in, as decided by the authentication adapter or else the options. Unknown values count as required, because the
 * host asked for some kind of sign-in.
 *
 * @example
 * const isGated = isSignInRequired(latchkey.options)
 */
export function isSignInRequired({ signIn, authentication }: LatchkeyOptions): boolean {
  return signIn !== undefined && signIn !== 'off' && (authentication?.getRequired?.() ?? signIn !== 'optional')
}
