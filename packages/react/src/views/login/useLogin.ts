import type { Login, LoginState } from '@latchkey/core'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { translateLoginError } from './translateLoginError.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

const initialState: LoginState = {
  busy: undefined,
  email: undefined,
  error: undefined,
  resendAt: undefined,
  social: undefined,
  farcasterUrl: undefined,
}
const noopSubscribe = (): (() => void) => () => undefined

/** The return type of `useLogin`. */
export interface UseLoginReturnType {
  /** The login API, or `undefined` until its chunk has loaded. */
  readonly login: Login | undefined
  readonly state: LoginState
  /** Whether the chunk failed to load. `runAction` retries. */
  readonly loadFailed: boolean
  /** Runs an action, synchronously if the chunk has loaded, so that the action can open a popup. `state` contains the outcome. */
  runAction(action: (login: Login) => unknown): void
}

/** Whether the frame is taking so long to load that the view should inform the user. The frame can still load later. */
export function isFrameSlow({ state }: Pick<UseLoginReturnType, 'state'>): boolean {
  return state.busy !== undefined && state.error?.code === 'frame/unreachable'
}

/** Returns the login actions and state. */
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
  // A layout effect is used so that, if the chunk has already loaded, the first paint shows the state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once per instance
  useLayoutEffect(() => load(), [latchkey])
  // The core package shows the toasts, but only this package has the translations.
  useLayoutEffect(
    () => login?.setErrorFormatter((error) => (error ? translateLoginError(text, error) : text('otp.sent'))),
    [login, text],
  )

  const runAction = (loaded: Login, action: (login: Login) => unknown): void => {
    // The rejection can be ignored, because the error is also in the state.
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
