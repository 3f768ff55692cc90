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

/** Return type of `useLogin`. */
export interface UseLoginReturnType {
  /** `undefined` until its chunk is loaded. */
  readonly login: Login | undefined
  readonly state: LoginState
  /** Whether loading failed. `runAction` retries. */
  readonly loadFailed: boolean
  /** Runs an action: synchronously if the chunk is loaded, so that a popup can open within the click. The outcome is in `state`. */
  runAction(action: (login: Login) => unknown): void
}

/** Whether the frame is slow to load, so that other connection methods should be suggested. It may still load. */
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
  // In a layout effect, so that the first paint shows the state if the chunk is already loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once per instance
  useLayoutEffect(() => load(), [latchkey])
  // Core raises the toasts, but only this package has the translations.
  useLayoutEffect(
    () => login?.setErrorFormatter((error) => (error ? translateLoginError(text, error) : text('otp.sent'))),
    [login, text],
  )

  const runAction = (loaded: Login, action: (login: Login) => unknown): void => {
    // The error is in the state. The rejection is for hosts that call the API themselves.
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
