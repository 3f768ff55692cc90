import type { LatchkeyOptions } from '../options.ts'

/**
 * Whether a visitor has to sign in: the keeper decides, else the options. A word that is none of theirs lets nobody pass: the
 * host wanted something.
 */
export function isSignInRequired({ signIn, signInKeeper }: LatchkeyOptions): boolean {
  return signIn !== undefined && signIn !== 'off' && (signInKeeper?.getRequired?.() ?? signIn !== 'optional')
}
