import type { SignInSession, SignInState } from '@latchkey/core'
import { useMemo } from 'react'
import { useModalLoader } from '../modalLoader.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** Where the visitor stands with signing in, and the ways in and out. */
export interface UseSignInReturnType extends SignInState {
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
export function useSignIn(): UseSignInReturnType {
  const latchkey = useLatchkey()
  const loader = useModalLoader()
  const now = useStore((state) => state.signIn)
  const actions = useMemo(
    () => ({
      // Most pages never need it.
      signIn: async () => (await import('../promptSignIn.ts')).promptSignIn(latchkey, () => void loader.load(latchkey)),
      signOut: async () => (await import('../promptSignIn.ts')).signOut(latchkey),
    }),
    [latchkey, loader],
  )
  return useMemo(() => ({ ...now, ...actions, isSignedIn: now.status === 'signed-in' }), [now, actions])
}
