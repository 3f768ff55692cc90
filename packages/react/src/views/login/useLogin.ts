import type { Login, LoginState } from '@latchkey/core'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useLoginText } from '../../i18n/useLoginText.ts'
import { loginReason } from './loginReason.ts'

const quiet: LoginState = {
  busy: undefined,
  email: undefined,
  error: undefined,
  resendAt: undefined,
  social: undefined,
  farcasterUrl: undefined,
}
const deaf = (): (() => void) => () => undefined

/** Logging in, as a view sees it. */
export interface LoginNow {
  /** `undefined` until its chunk is here. */
  readonly login: Login | undefined
  readonly state: LoginState
  /** It could not be loaded; asking again tries again. */
  readonly lost: boolean
  /** Does something with it: at once when it is here, so that a popup opens within the click. What comes of it is in `state`. */
  ask(deed: (login: Login) => unknown): void
}

/** Whether the frame takes so long that the visitor should know of the other ways to connect; it may still come. */
export function isFrameLate({ state }: Pick<LoginNow, 'state'>): boolean {
  return state.busy !== undefined && state.error?.code === 'frame/unreachable'
}

/** Logging in: its deeds and its state. */
export function useLogin(): LoginNow {
  const latchkey = useLatchkey()
  const text = useLoginText()
  const [login, setLogin] = useState<Login>()
  const [lost, setLost] = useState(false)
  const state = useSyncExternalStore(
    login?.state.subscribe ?? deaf,
    () => login?.state.get() ?? quiet,
    () => quiet,
  )

  const load = (deed?: (login: Login) => unknown): void => {
    latchkey.login().then(
      (found) => {
        setLogin(found)
        setLost(!found)
        if (found && deed) run(found, deed)
      },
      () => setLost(true),
    )
  }
  // Before the first frame, so that what the state says is drawn in it where the chunk is here already.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once, whatever else changes
  useLayoutEffect(() => load(), [latchkey])
  // Toasts come from below, where nobody knows the visitor's language.
  useLayoutEffect(
    () => login?.setErrorFormatter((error) => (error ? loginReason(text, error) : text('otp.sent'))),
    [login, text],
  )

  const run = (found: Login, deed: (login: Login) => unknown): void => {
    // A rejection is for hosts that drive it themselves; here the state tells.
    void Promise.resolve(deed(found)).catch(() => undefined)
  }
  return {
    login,
    state,
    lost,
    ask(deed) {
      if (login) run(login, deed)
      else load(deed)
    },
  }
}
