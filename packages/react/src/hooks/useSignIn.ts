import type { SignInSession, SignInState } from '@latchkey/core'
import { useMemo } from 'react'
import { useModalDoor } from '../door.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** Where the visitor stands with signing in, and the ways in and out. */
export interface SignInNow extends SignInState {
  readonly isSignedIn: boolean
  /**
   * Asks the visitor in the modal, unless they are signed in. Rejects with `user/rejected` when they do not want to, with `sign-in/off` where
   * the host wants none, with `sign-in/no-address` while nobody is connected.
   */
  readonly signIn: () => Promise<SignInSession>
  /** Ends the sign-in session of the active account; the wallet stays connected. */
  readonly signOut: () => Promise<void>
}

/**
 * Signing in with a wallet, of the active account.
 *
 * @example
 * const { isSignedIn, signIn } = useSignIn()
 * if (!isSignedIn) return <button onClick={() => signIn().catch(() => {})}>Members only</button>
 */
export function useSignIn(): SignInNow {
  const latchkey = useLatchkey()
  const door = useModalDoor()
  const now = useStore((state) => state.signIn)
  const deeds = useMemo(
    () => ({
      // Most pages never need it.
      signIn: async () => (await import('../askToSignIn.ts')).askToSignIn(latchkey, () => void door.enter(latchkey)),
      signOut: async () => (await import('../askToSignIn.ts')).signOut(latchkey),
    }),
    [latchkey, door],
  )
  return useMemo(() => ({ ...now, ...deeds, isSignedIn: now.status === 'signed-in' }), [now, deeds])
}
