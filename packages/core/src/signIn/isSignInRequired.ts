import type { LatchkeyOptions } from '../options.ts'

/**
 * Whether the user must sign in. The authentication adapter decides, or else the `signIn` option. An unknown value of `signIn`
 * is treated as `required`, because the host has enabled sign-in.
 *
 * @example
 * const isGated = isSignInRequired(latchkey.options)
 */
export function isSignInRequired({ signIn, authentication }: LatchkeyOptions): boolean {
  return signIn !== undefined && signIn !== 'off' && (authentication?.getRequired?.() ?? signIn !== 'optional')
}
