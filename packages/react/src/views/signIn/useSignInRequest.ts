import { isSignInRequired, type Latchkey, type SignIn, type SignInState } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { useLayoutEffect, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'

/** Return type of `useSignInRequest`. */
export interface UseSignInRequestReturnType {
  readonly status: SignInState['status']
  readonly account: SignInState['account']
  /** Why the last attempt failed, or that the sign-in chunk failed to load. Signing again also retries loading. */
  readonly error: LatchkeyError | undefined
  sign(): void
  cancel(): void
}

/** Returns the sign-in state and actions. The outcome of an action is in the state. */
export function useSignInRequest(): UseSignInRequestReturnType {
  const latchkey = useLatchkey()
  const state = useStore(({ signIn }) => signIn)
  const [pending, setPending] = useState<'signing' | 'cancelling'>()
  const [loadFailed, setLoadFailed] = useState(false)

  const run = async (
    busy: 'signing' | 'cancelling',
    action: (signIn: SignIn) => Promise<unknown>,
  ): Promise<boolean> => {
    setPending(busy)
    setLoadFailed(false)
    const loaded = await latchkey.signIn().catch(() => undefined)
    setLoadFailed(!loaded)
    // The error is in the state. The rejection is for hosts that call the API themselves.
    if (loaded) await action(loaded).catch((error: unknown) => latchkey.log.debug(toLatchkeyError(error).message))
    // Cancelling during a wallet request finishes after the request does.
    setPending((now) => (now === busy ? undefined : now))
    return loaded !== undefined
  }
  // Load up front, so that the click can send the wallet request synchronously.
  useLayoutEffect(() => {
    let unmounted = false
    latchkey.signIn().then(
      (loaded) => !unmounted && setLoadFailed(!loaded),
      () => !unmounted && setLoadFailed(true),
    )
    return () => {
      unmounted = true
    }
  }, [latchkey])

  return {
    status: state.status === 'cancelling' ? 'cancelling' : (pending ?? state.status),
    account: state.account,
    error: loadFailed ? toLatchkeyError(undefined) : state.error,
    sign: () => void run('signing', (signIn) => signIn.sign()),
    // A chunk that failed to load must not keep the user from leaving.
    cancel: () =>
      void run('cancelling', (signIn) => signIn.cancel()).then((done) =>
        done ? undefined : cancelWithoutRuntime(latchkey),
      ),
  }
}

async function cancelWithoutRuntime(latchkey: Latchkey): Promise<void> {
  if (isSignInRequired(latchkey.options))
    await latchkey.disconnect().catch((error: unknown) => latchkey.log.warn('Unable to disconnect', error))
  latchkey.modal.close({ force: true })
}
