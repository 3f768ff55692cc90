import { isSignInRequired, type Latchkey, type SignIn, type SignInState } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import { useLayoutEffect, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'

/** Signing in, as a view sees it. */
export interface SigningNow {
  readonly status: SignInState['status']
  readonly account: SignInState['account']
  /** Why the last try did not come to anything; or what signs in could not be loaded, and asking again loads it again. */
  readonly error: LatchkeyError | undefined
  sign(): void
  cancel(): void
}

/** Signing in: its state and its deeds. What comes of them is in the state. */
export function useSigning(): SigningNow {
  const latchkey = useLatchkey()
  const state = useStore(({ signIn }) => signIn)
  const [asked, setAsked] = useState<'signing' | 'cancelling'>()
  const [lost, setLost] = useState(false)

  const ask = async (busy: 'signing' | 'cancelling', deed: (signIn: SignIn) => Promise<unknown>): Promise<boolean> => {
    setAsked(busy)
    setLost(false)
    const found = await latchkey.signIn().catch(() => undefined)
    setLost(!found)
    // A rejection is for hosts that drive it themselves.
    if (found) await deed(found).catch((error: unknown) => latchkey.log.debug(toLatchkeyError(error).message))
    // Cancelling while the wallet is asked ends after it.
    setAsked((now) => (now === busy ? undefined : now))
    return found !== undefined
  }
  // Beside the first frame, so that pressing asks the wallet within the press.
  useLayoutEffect(() => {
    let left = false
    latchkey.signIn().then(
      (found) => !left && setLost(!found),
      () => !left && setLost(true),
    )
    return () => {
      left = true
    }
  }, [latchkey])

  return {
    status: state.status === 'cancelling' ? 'cancelling' : (asked ?? state.status),
    account: state.account,
    error: lost ? toLatchkeyError(undefined) : state.error,
    sign: () => void ask('signing', (signIn) => signIn.sign()),
    // Whoever does not want to is not kept because something did not load.
    cancel: () =>
      void ask('cancelling', (signIn) => signIn.cancel()).then((done) => (done ? undefined : leave(latchkey))),
  }
}

async function leave(latchkey: Latchkey): Promise<void> {
  if (isSignInRequired(latchkey.options))
    await latchkey.disconnect().catch((error: unknown) => latchkey.log.warn('Unable to disconnect', error))
  latchkey.modal.close({ force: true })
}
