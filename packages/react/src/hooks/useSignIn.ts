import type { SignInSession, SignInState } from '@latchkey/core'
import { useMemo } from 'react'
import { useModalLoader } from '../ModalLoaderContext.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** The return type of `useSignIn`. */
export interface UseSignInReturnType extends SignInState {
  /** Whether the active account is signed in, that is, whether `status` is `signed-in`. */
  readonly isSignedIn: boolean
  /**
   * Prompts the user to sign in, unless they are already signed in. Rejects with `user/rejected` if the user declines, with
   * `sign-in/off` if sign-in is not configured, and with `sign-in/no-address` if no wallet is connected.
   */
  readonly signIn: () => Promise<SignInSession>
  /** Ends the active account's sign-in session. The wallet stays connected. */
  readonly signOut: () => Promise<void>
}

/**
 * Returns the active account's sign-in state, with functions for signing in and out.
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
      // The module is loaded on demand, because most pages do not need it.
      signIn: async () => (await import('../promptSignIn.ts')).promptSignIn(latchkey, () => void loader.load(latchkey)),
      signOut: async () => (await import('../promptSignIn.ts')).signOut(latchkey),
    }),
    [latchkey, loader],
  )
  return useMemo(() => ({ ...now, ...actions, isSignedIn: now.status === 'signed-in' }), [now, actions])
}
