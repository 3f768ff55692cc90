import { isSignInRequired, type Latchkey, type SignIn, type SignInState } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { useLayoutEffect, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'

/** The return type of `useSignInRequest`. */
export interface UseSignInRequestReturnType {
  readonly status: SignInState['status']
  readonly account: SignInState['account']
  /** The error from the last attempt, or an error if the sign-in chunk failed to load. Signing again also retries loading. */
  readonly error: LatchkeyError | undefined
  sign(): void
  cancel(): void
}

/** Returns the sign-in state and actions. The outcome of an action is reflected in the state. */
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
    // The rejection can be ignored, because the error is also in the state.
    if (loaded) await action(loaded).catch((error: unknown) => latchkey.log.debug(toLatchkeyError(error).message))
    // If the user has cancelled during the wallet request, the status stays `cancelling` until the cancellation has finished.
    setPending((now) => (now === busy ? undefined : now))
    return loaded !== undefined
  }
  // The chunk is loaded in advance, so that the wallet request can be sent synchronously on click.
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
    // The user must be able to leave even if the chunk failed to load.
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
