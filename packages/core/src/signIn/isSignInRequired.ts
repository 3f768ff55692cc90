import type { LatchkeyOptions } from '../options.ts'

/**
 * Whether the user must sign in. If the authentication adapter does not decide, the `signIn` option applies. An unknown value of
 * `signIn` is treated as `required`, because the host has enabled sign-in.
 *
 * @example
 * const isGated = isSignInRequired(latchkey.options)
 */
export function isSignInRequired({ signIn, authentication }: LatchkeyOptions): boolean {
  return signIn !== undefined && signIn !== 'off' && (authentication?.getRequired?.() ?? signIn !== 'optional')
}
