import type { Login, LoginState } from '@latchkey/core'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useLoginTranslations } from '../../i18n/useLoginTranslations.ts'
import { loginErrorCopy } from './loginErrorCopy.ts'

const initialState: LoginState = {
  busy: undefined,
  email: undefined,
  error: undefined,
  resendAt: undefined,
  social: undefined,
  farcasterUrl: undefined,
}
const noopSubscribe = (): (() => void) => () => undefined

/** Logging in, as a view sees it. */
export interface UseLoginReturnType {
  /** `undefined` until its chunk is here. */
  readonly login: Login | undefined
  readonly state: LoginState
  /** It could not be loaded; asking again tries again. */
  readonly loadFailed: boolean
  /** Does something with it: at once when it is here, so that a popup opens within the click. What comes of it is in `state`. */
  runAction(action: (login: Login) => unknown): void
}

/** Whether the frame takes so long that the visitor should know of the other ways to connect; it may still come. */
export function isFrameSlow({ state }: Pick<UseLoginReturnType, 'state'>): boolean {
  return state.busy !== undefined && state.error?.code === 'frame/unreachable'
}

/** Logging in: its deeds and its state. */
export function useLogin(): UseLoginReturnType {
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const [login, setLogin] = useState<Login>()
  const [loadFailed, setLoadFailed] = useState(false)
  const state = useSyncExternalStore(
    login?.state.subscribe ?? noopSubscribe,
    () => login?.state.get() ?? initialState,
    () => initialState,
  )

  const load = (action?: (login: Login) => unknown): void => {
    latchkey.login().then(
      (loaded) => {
        setLogin(loaded)
        setLoadFailed(!loaded)
        if (loaded && action) runAction(loaded, action)
      },
      () => setLoadFailed(true),
    )
  }
  // Before the first frame, so that what the state says is drawn in it where the chunk is here already.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once, whatever else changes
  useLayoutEffect(() => load(), [latchkey])
  // Toasts come from below, where nobody knows the visitor's language.
  useLayoutEffect(
    () => login?.setErrorFormatter((error) => (error ? loginErrorCopy(text, error) : text('otp.sent'))),
    [login, text],
  )

  const runAction = (loaded: Login, action: (login: Login) => unknown): void => {
    // A rejection is for hosts that drive it themselves; here the state tells.
    void Promise.resolve(action(loaded)).catch(() => undefined)
  }
  return {
    login,
    state,
    loadFailed,
    runAction(action) {
      if (login) runAction(login, action)
      else load(action)
    },
  }
}
