import { isSignInRequired, type Latchkey, type SignIn, type SignInState } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import { useLayoutEffect, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'

/** Signing in, as a view sees it. */
export interface UseSignInRequestReturnType {
  readonly status: SignInState['status']
  readonly account: SignInState['account']
  /** Why the last try did not come to anything; or what signs in could not be loaded, and asking again loads it again. */
  readonly error: LatchkeyError | undefined
  sign(): void
  cancel(): void
}

/** Signing in: its state and its deeds. What comes of them is in the state. */
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
    // A rejection is for hosts that drive it themselves.
    if (loaded) await action(loaded).catch((error: unknown) => latchkey.log.debug(toLatchkeyError(error).message))
    // Cancelling while the wallet is asked ends after it.
    setPending((now) => (now === busy ? undefined : now))
    return loaded !== undefined
  }
  // Beside the first frame, so that pressing asks the wallet within the press.
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
    // Whoever does not want to is not kept because something did not load.
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
