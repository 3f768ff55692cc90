import type { SignInSession, SignInState } from '@latchkey/core'
import { useMemo } from 'react'
import { useModalLoader } from '../modalLoader.ts'
import { useLatchkey } from './useLatchkey.ts'
import { useStore } from './useStore.ts'

/** Return type of `useSignIn`. */
export interface UseSignInReturnType extends SignInState {
  /** Whether the active account is signed in: `status` is `signed-in`. */
  readonly isSignedIn: boolean
  /**
   * Prompts the user to sign in unless they already are. Rejects with `user/rejected` if they decline, with `sign-in/off` if sign-in is not
   * configured, and with `sign-in/no-address` while no wallet is connected.
   */
  readonly signIn: () => Promise<SignInSession>
  /** Ends the sign-in session of the active account. The wallet stays connected. */
  readonly signOut: () => Promise<void>
}

/**
 * Signs the active account in with its wallet.
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
      // Loaded on demand, because most pages never need it.
      signIn: async () => (await import('../promptSignIn.ts')).promptSignIn(latchkey, () => void loader.load(latchkey)),
      signOut: async () => (await import('../promptSignIn.ts')).signOut(latchkey),
    }),
    [latchkey, loader],
  )
  return useMemo(() => ({ ...now, ...actions, isSignedIn: now.status === 'signed-in' }), [now, actions])
}
